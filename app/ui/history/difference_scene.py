"""What the roll of a comparison shows: the notes of one track in A and B, and where they stand; without Qt."""

from __future__ import annotations

from collections.abc import Iterator

from agent.song.song import Song
from agent.song.time import PPQ
from app.ui.canvas.time_axis import PitchAxis
from app.viewmodels.history.comparing import Comparison
from app.viewmodels.history.difference import KINDS, Kind, NoteChange
from app.viewmodels.history.difference_scene import ComparedTrack, mark_in_words
from app.viewmodels.pianoroll.grid import GridLine, lines_between

KEYS, RULER, VELOCITY = 56, 20, 76
"""Pixels of the keys beside the notes, of the ruler above and of the velocities below."""
_LOWEST, _HIGHEST = 9, 16
"""Range of a row's height in pixels."""
_MOST = 5_000
"""Number of visible notes that the zoom allows; more would be slow to paint."""
_FIRST_BARS = 8
_SLACK = 3.0


class DifferenceAxis(PitchAxis):
    """A pitch axis with a limit of zoom beyond which no two notes are told apart any better."""

    widest = 240.0


class DifferenceScene:
    """State of the roll for one track. `kinds` are the kinds shown; `current` is the index of the current note,
    `position` the playhead in ticks."""

    def __init__(self) -> None:
        self.axis = DifferenceAxis(20.0, _HIGHEST)
        self.comparison: Comparison | None = None
        self.notes = ComparedTrack(None, 1)
        self.kinds: frozenset[Kind] = frozenset(KINDS)
        self.current: int | None = None
        self.position = 0

    def show(self, comparison: Comparison, notes: ComparedTrack, width: int, height: int) -> None:
        """Show a track in a view of so many pixels; the first one shown is zoomed to eight bars."""
        first, self.comparison, self.notes, self.current = self.comparison is None, comparison, notes, None
        self.axis.length = notes.end
        self.axis.show_lanes(tuple(range(notes.high, notes.low - 1, -1)))
        self.fit(width, height)
        if first:
            bar = comparison.b.bar_map.start_of(2) - comparison.b.bar_map.start_of(1)
            self.axis.per_beat = self.axis.zoomed(max(1, width) / (bar * _FIRST_BARS) * PPQ)

    def fit(self, width: int, height: int) -> None:
        """Fit the rows' height to the view, and limit the zoom to the whole song and to the notes that can be
        painted."""
        axis, share = self.axis, min(1.0, _MOST / max(1, len(self.notes.marks)))
        axis.row_height = min(_HIGHEST, max(_LOWEST, height // axis.rows))
        axis.narrowest = max(1, width) / (axis.length * share) * PPQ if axis.length else axis.narrowest
        axis.per_beat = axis.zoomed(axis.per_beat)

    @property
    def song(self) -> Song | None:
        """The longer of the two songs, whose bars are shown; None before a comparison."""
        found = self.comparison
        return None if found is None else found.b if found.b.end >= found.a.end else found.a

    @property
    def mark(self) -> NoteChange | None:
        """The current note; None for none."""
        marks = self.notes.marks
        return None if self.current is None or self.current >= len(marks) else marks[self.current]

    def words(self) -> str:
        """The current note in words; empty for none."""
        mark, found = self.mark, self.comparison
        return "" if mark is None or found is None else ", ".join(mark_in_words(found, mark))

    def lines(self, left: float, right: float) -> Iterator[GridLine]:
        """Grid lines of bars and beats from pixel `left` to `right`."""
        axis, song = self.axis, self.song
        if song is not None:
            bars, first, last = song.bar_map, max(0, int(axis.at(left))), max(0, int(axis.at(right)))
            yield from lines_between(bars, bars.start_of(bars.bar_at(first)), last, 0, axis.per_beat)

    def found(self, left: float, right: float) -> list[tuple[int, NoteChange]]:
        """The notes of the shown kinds from pixel `left` to `right`, each with its index."""
        return list(self.notes.within(*self.ticks(left, right), self.kinds))

    def ticks(self, left: float, right: float) -> tuple[int, int]:
        """The range of ticks that overlaps the pixels from `left` to `right`."""
        return int(self.axis.at(left - 1)), int(self.axis.at(right + 1)) + 1

    def mark_at(self, x: float, y: float) -> int | None:
        """The index of the note at pixel (x, y) of the notes' area; None for none."""
        axis = self.axis
        return self.notes.at(axis.at(x), axis.pitch(y), self.kinds, axis.ticks(_SLACK))
