"""Some notes in a row of time, with what was built of them last."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from PySide6.QtCore import QRectF

from agent.song.clip import Note
from agent.song.ids import NoteId
from agent.song.time import PPQ
from app.ui.canvas.time_axis import PitchAxis

BANDS = 4
"""Number of velocity bands by which notes are coloured."""
LEAST_NOTE = 2.0
"""Width of the shortest note in pixels."""
MERGED_BELOW = 3
"""Zoom level (binary logarithm of pixels per beat) below which notes that touch are painted as one."""
_HEAD = 6.0
"""Height of the head of a velocity bar, in velocity units."""
_FOOT = 12
_GAP = 0.08
"""Share of a row that is left free between two rows of notes."""
_FRAME = 2
"""Width in pixels of the frame around a selected note."""
_NEAR = 1.12
"""Ratios between widths within which they come to the same number of pixels, so that cached ones can be used."""
Bands = list[list[QRectF]]
Share = Literal["none", "some", "all"]


def band_of(velocity: int) -> int:
    """The velocity band of a note, from 0 for the softest."""
    return velocity * BANDS // 128


class Frames:
    """Selected notes: their whole rectangles, and by velocity band the inner parts that are painted over them."""

    __slots__ = ("inner", "outer")

    def __init__(self) -> None:
        self.outer: list[QRectF] = []
        self.inner: Bands = [[] for _ in range(BANDS)]


class NoteChunk:
    """Some notes in order of time with cached rectangles (x in beats from the clip's start, y in rows) and velocity
    bars (y from 0 for the loudest to 127)."""

    __slots__ = (
        "_all", "_bars", "_bars_key", "_chosen_bars", "_frames", "_frames_key", "_ids", "_key", "_rects", "_share",
        "end", "notes", "start",
    )

    def __init__(self, notes: tuple[Note, ...]) -> None:
        self.notes = notes
        self.start = notes[0].start
        self.end = max([note.start + note.duration for note in notes])
        self._key: tuple[int, tuple[int, ...]] = (0, ())
        self._rects: Bands | None = None
        self._all = frozenset(note.id for note in notes)
        self._ids: frozenset[NoteId] = frozenset()
        self._share: Share = "none"
        self._frames: Frames | None = None
        self._frames_key: tuple[float, int, tuple[int, ...]] = (0.0, 0, ())
        self._bars: list[QRectF] | None = None
        self._bars_key = (0.0, False)
        self._chosen_bars: list[QRectF] | None = None

    def rects(self, level: int, axis: PitchAxis, *, hurry: bool) -> Bands | None:
        """Rectangles by velocity band for a zoom level. With `hurry` none are built: cached ones, possibly of another
        level, or None."""
        key = (level, axis.lanes)
        if self._rects is not None and (self._key == key or (hurry and self._key[1] == axis.lanes)):
            return self._rects
        if hurry:
            return None
        self._key, self._rects = key, _note_rects(self.notes, level, axis.row)
        return self._rects

    def fits(self, level: int, axis: PitchAxis) -> bool:
        """Whether rectangles for exactly this zoom level and these rows are cached."""
        return self._rects is not None and self._key == (level, axis.lanes)

    def share(self, ids: frozenset[NoteId]) -> Share:
        """Whether none, some or all of the notes have one of these ids."""
        if ids is not self._ids:
            before = self._share
            self._ids = ids
            chosen = len(self._all & ids)
            self._share = "none" if not chosen else "all" if chosen == len(self.notes) else "some"
            if (before, self._share) != ("all", "all"):
                self._frames = self._chosen_bars = None
        return self._share

    def frames(self, axis: PitchAxis) -> Frames:
        """Rectangles of the selected notes, those of the last call of `share`."""
        key = (1 / axis.per_beat, axis.row_height, axis.lanes)
        if self._frames is None or self._frames_key[1:] != key[1:] or not _near(self._frames_key[0], key[0]):
            self._frames_key, self._frames = key, _frames(self._chosen(), key[0], key[1], axis.row)
        return self._frames

    def bars(self, thin: float, wide: float, *, hurry: bool) -> list[QRectF] | None:
        """Velocity bars `thin` beats wide, with heads `wide` beats wide (0: without heads). With `hurry` none are
        built: cached ones or None."""
        if not self._fit_bars(thin, wide):
            if hurry:
                return self._bars
            self._bars_key, self._bars, self._chosen_bars = (thin, bool(wide)), _bars(self.notes, thin, wide), None
        return self._bars

    def chosen_bars(self, thin: float, wide: float) -> list[QRectF]:
        """Velocity bars of the selected notes, those of the last call of `share`; `thin` beats wide, with heads `wide`
        beats wide."""
        if self._chosen_bars is None or not self._fit_bars(thin, wide):
            self._chosen_bars = _bars(self._chosen(), thin, wide)
        return self._chosen_bars

    def _fit_bars(self, thin: float, wide: float) -> bool:
        return self._bars is not None and _near(self._bars_key[0], thin) and self._bars_key[1] == bool(wide)

    def _chosen(self) -> Iterable[Note]:
        return self.notes if self._share == "all" else [note for note in self.notes if note.id in self._ids]


def _near(one: float, other: float) -> bool:
    return other <= one * _NEAR and one <= other * _NEAR


def _note_rects(notes: tuple[Note, ...], level: int, row: Callable[[int], int]) -> Bands:
    found: Bands = [[] for _ in range(BANDS)]
    least, pixel = LEAST_NOTE / 2.0**level, 1 / 2.0**level
    last: dict[int, QRectF] = {}
    merged = level < MERGED_BELOW
    for note in notes:
        x, width = note.start / PPQ, note.duration / PPQ
        if merged:
            before = last.get(note.pitch)
            if before is not None and x <= before.right() + pixel:
                before.setRight(max(before.right(), x + width))
                continue
        rect = QRectF(x, row(note.pitch), width if width > least else least, 1 - _GAP)
        if merged:
            # The list shares the rectangle, which may still grow.
            last[note.pitch] = rect
        found[note.velocity * BANDS // 128].append(rect)
    return found


def _frames(notes: Iterable[Note], pixel: float, row_height: int, row: Callable[[int], int]) -> Frames:
    found = Frames()
    aside, above, least = _FRAME * pixel, _FRAME / row_height, LEAST_NOTE * pixel
    tall = 1 - _GAP - 2 * above
    for note in notes:
        x, y, width = note.start / PPQ, row(note.pitch), note.duration / PPQ
        found.outer.append(QRectF(x, y, width if width > least else least, 1 - _GAP))
        if width > 3 * aside and tall > 0:
            band = found.inner[note.velocity * BANDS // 128]
            band.append(QRectF(x + aside, y + above, width - 2 * aside, tall))
    return found


def _bars(notes: Iterable[Note], thin: float, wide: float) -> list[QRectF]:
    found: list[QRectF] = []
    column, loudest = -1.0, 0
    for note in notes:
        x, velocity = note.start / PPQ, note.velocity
        if not wide:
            # Behind a louder bar nothing can be seen.
            x = x // thin * thin
            if x == column and velocity <= loudest:
                continue
            column, loudest = x, velocity
        # A little longer than loud: the lowest velocity is a bar too.
        found.append(QRectF(x, 127 - velocity, thin, velocity + _FOOT))
        if wide:
            found.append(QRectF(x, 127 - velocity, wide, _HEAD))
    return found
