"""Two versions of a song compared: tracks with their notes and what differs in words, and the song around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from app.i18n import tr, trn
from app.viewmodels.history.difference import Counts, NoteChange, counts_of, marks_of
from app.viewmodels.history.difference_words import Line, song_lines, track_lines

State = Literal["added", "removed", "changed"]


class DifferingTrack(Struct, frozen=True):
    """A track that differs; `lines` are its differences apart from notes. `color` and `instrument` are as in B, or if
    it is not there as in A."""

    id: TrackId
    name: str
    state: State
    color: str
    instrument: str
    marks: tuple[NoteChange, ...]
    counts: Counts
    lines: tuple[Line, ...]
    bars: tuple[int, int] | None
    """First and last bar in which notes differ; None if none do."""


class Difference(Struct, frozen=True, gc=False):
    """One difference to step to: a line (by its index) of a track, or of the song if `track` is None; or a note of the
    track (`mark`, by its index)."""

    track: TrackId | None
    line: int | None = None
    mark: int | None = None


class Comparison(Struct, frozen=True, dict=True):
    """The differences between songs A and B. `song` are lines about what is outside the tracks, `same` names of the
    tracks that do not differ."""

    a: Song
    b: Song
    tracks: tuple[DifferingTrack, ...]
    song: tuple[Line, ...]
    same: tuple[str, ...]
    counts: Counts
    changes: tuple[Difference, ...]
    """All differences, in the order in which they are stepped through."""

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not self.tracks and not self.song

    def track(self, track: TrackId | None) -> DifferingTrack | None:
        """The difference of a track; None if it does not differ."""
        return next((one for one in self.tracks if one.id == track), None)


def compared(a: Song, b: Song, palette: Palette) -> Comparison:
    """The differences from A to B. Takes a second for 100,000 notes, so it should run in a thread."""
    old, new = {track.id: track for track in a.tracks}, {track.id: track for track in b.tracks}
    found: list[DifferingTrack] = []
    same: list[str] = []
    for track in (*b.tracks, *(track for track in a.tracks if track.id not in new)):
        was, now = old.get(track.id), new.get(track.id)
        if was == now:
            same.append(track.name)
        else:
            found.append(_track(a, b, was, now, palette))
    lines = song_lines(a, b, palette)
    counts = Counts()
    for one in found:
        counts = counts.plus(one.counts)
    return Comparison(a, b, tuple(found), lines, tuple(same), counts, tuple(_walk(lines, found)))


def headline(comparison: Comparison) -> str:
    """How many tracks differ, in a few words."""
    if comparison.empty:
        return tr("Both iterations are the same")
    if not comparison.tracks:
        return tr("No track differs")
    return trn("{count} track differs", "{count} tracks differ", len(comparison.tracks))


def counts_in_words(counts: Counts) -> str:
    """The counts of differing notes in words, without those of 0."""
    parts = (
        (counts.added, tr("{count} added", count=f"{counts.added:,}")),
        (counts.removed, tr("{count} removed", count=f"{counts.removed:,}")),
        (counts.moved, tr("{count} moved", count=f"{counts.moved:,}")),
    )
    said = ", ".join(words for count, words in parts if count)
    return tr("Notes: {counts}", counts=said) if said else tr("No notes differ")


def state_in_words(state: State) -> str:
    """Whether a track was added, removed or changed, in a word."""
    return {"added": tr("added"), "removed": tr("removed"), "changed": tr("changed")}[state]


def as_text(comparison: Comparison, a: str, b: str) -> str:
    """The whole comparison as text to copy; `a` and `b` are the names of the versions."""
    said = [f"A: {a}", f"B: {b}", headline(comparison), counts_in_words(comparison.counts)]
    if comparison.song:
        said += ["", tr("Song"), *(f"  {line.text}" for line in comparison.song)]
    for one in comparison.tracks:
        said += ["", f"{one.name} ({state_in_words(one.state)})"]
        said += [counts_in_words(one.counts)] * bool(one.counts.differing)
        said += [f"  {line.text}" for line in one.lines]
    return "\n".join(said)


def _track(a: Song, b: Song, was: Track | None, now: Track | None, palette: Palette) -> DifferingTrack:
    shown = now or was
    assert shown is not None
    marks = marks_of(was, now)
    state: State = "added" if was is None else "removed" if now is None else "changed"
    lines = track_lines(a, b, was, now, palette) if was is not None and now is not None else ()
    differing = [mark for mark in marks if mark.kind != "same"]
    bars = None
    if differing:
        song = b if now is not None else a
        first = min(mark.shown.start for mark in differing)
        last = max(mark.shown.end for mark in differing) - 1
        bars = song.bar_map.bar_at(first), song.bar_map.bar_at(last)
    return DifferingTrack(
        shown.id, shown.name, state, shown.color, shown.instrument, marks, counts_of(marks), lines, bars
    )


def _walk(lines: tuple[Line, ...], tracks: list[DifferingTrack]) -> Iterator[Difference]:
    for at in range(len(lines)):
        yield Difference(None, line=at)
    for one in tracks:
        for at in range(len(one.lines)):
            yield Difference(one.id, line=at)
        for at, mark in enumerate(one.marks):
            if mark.kind != "same":
                yield Difference(one.id, mark=at)
        if not one.lines and not one.counts.differing:
            # An empty track that came or went is a change too.
            yield Difference(one.id)
