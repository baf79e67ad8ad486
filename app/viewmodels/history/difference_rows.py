"""What differs, as rows of a list: the song, each track, and those that are the same."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from agent.song.ids import TrackId
from app.i18n import tr, trn
from app.viewmodels.history.comparing import Comparison, DifferingTrack, State, counts_in_words, state_in_words
from app.viewmodels.history.difference import Counts
from app.viewmodels.history.difference_words import Line
from app.viewmodels.texts.figures import bars_text

_MOST_LINES = 12
_MOST_NAMES = 40


class DifferenceRow(Struct, frozen=True):
    """One row of a comparison: the song, a track that differs, or what is the same (`quiet`). A track's row has its id
    in `track` and can be picked; the first of its `lines` is about its notes. `note` is shown at the right, `tip` is
    the tooltip."""

    title: str
    lines: tuple[Line, ...] = ()
    track: TrackId | None = None
    counts: Counts = Counts()
    color: str = ""
    instrument: str = ""
    state: State = "changed"
    note: str = ""
    quiet: bool = False
    tip: str = ""

    @property
    def accessible_text(self) -> str:
        """The whole row for screen readers."""
        said = [self.title, self.note, counts_in_words(self.counts) if self.counts.differing else ""]
        return ", ".join([*filter(None, said), *(line.text for line in self.lines)])


def difference_rows(comparison: Comparison) -> tuple[DifferenceRow, ...]:
    """All rows: the song, the tracks that differ, then what is the same."""
    rows = []
    if comparison.song:
        rows.append(DifferenceRow(tr("Song"), _cut(comparison.song), note=tr("changed")))
    rows += [_row(track) for track in comparison.tracks]
    if comparison.same:
        count = len(comparison.same)
        names = ", ".join(comparison.same[:_MOST_NAMES])
        rows.append(DifferenceRow(trn("{count} track is the same", "{count} tracks are the same", count),
                                  quiet=True, tip=names))
    if not comparison.song:
        rows.append(DifferenceRow(tr("Tempo, key, meter and sections are the same"), quiet=True))
    return tuple(rows)


def picked_in_words(comparison: Comparison, picked: Collection[TrackId]) -> str:
    """How many of the differing tracks are picked."""
    return tr("{picked} of {count} tracks picked", picked=len(picked), count=len(comparison.tracks))


def _row(track: DifferingTrack) -> DifferenceRow:
    notes: tuple[Line, ...] = ()
    if track.bars is not None:
        notes = (Line(tr("Notes"), "", bars_text(*track.bars)),)
    note = "" if track.state == "changed" else state_in_words(track.state)
    return DifferenceRow(
        track.name, _cut((*notes, *track.lines)), track.id, track.counts, track.color, track.instrument,
        track.state, note,
    )


def _cut(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    more = len(lines) - _MOST_LINES
    if more <= 0:
        return lines
    return (*lines[:_MOST_LINES], Line(trn("and {count} more", "and {count} more", more)))
