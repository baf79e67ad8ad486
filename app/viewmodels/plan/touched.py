"""Which rows of a plan touch which part of the song, as its preview foresees."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

from msgspec.structs import replace

from agent.review.preview import Preview, RowPreview
from agent.song.chart import ChordSymbol
from agent.song.ids import ClipId, SectionId, TrackId
from agent.song.time import Ticks
from agent.song.track import Track

Key = TypeVar("Key", bound=Hashable)
One = TypeVar("One")
Steps = dict[str, None]
"""Ids of rows, in the order of the plan."""
NO_TRACK = Track(TrackId(""), "", "")
_STRIDE = 64
_Lane = tuple[TrackId, str]
"""A track and the target of its automation."""


class _HasId(Protocol):
    @property
    def id(self) -> Hashable: ...


Part = TypeVar("Part", bound=_HasId)


class Touched:
    """For each part of the song (clip, track, tempo, section…) that some row makes, changes or removes, the rows that
    do so."""

    def __init__(self, rows: Iterable[RowPreview] = ()) -> None:
        self.clips: dict[ClipId, Steps] = {}
        self.tracks: dict[TrackId, Steps] = {}
        self.mixes: dict[TrackId, Steps] = {}
        self.automation: dict[_Lane, Steps] = {}
        self.above: dict[TrackId, TrackId | None] = {}
        """For each track that a row adds, the track above it (None on top), in the order in which the tracks are
        added."""
        self.tempos: dict[Ticks, Steps] = {}
        self.meters: dict[Ticks, Steps] = {}
        self.sections: dict[SectionId, Steps] = {}
        self.chords: dict[ChordSymbol, Steps] = {}
        for row in rows:
            self._take(row)

    def _take(self, row: RowPreview) -> None:
        before, after = row.before, row.after
        if before is after:
            return
        old, new, above = _unlike(before.tracks, after.tracks)
        was_there = {track.id: track for track in old}
        is_there = {track.id: track for track in new}
        for track_id in dict.fromkeys([*was_there, *is_there]):
            was, now = was_there.get(track_id), is_there.get(track_id)
            if was is not now:
                self._take_track(row.step, track_id, was, now)
        for track in new:
            if track.id not in was_there:
                self.above[track.id] = None if above is None else above.id
            above = track
        _compare(row.step, self.tempos, before.tempos, after.tempos, lambda one: one.at)
        _compare(row.step, self.meters, before.meters, after.meters, lambda one: one.at)
        _compare(row.step, self.sections, before.sections, after.sections, lambda one: one.id)
        if before.chords is not after.chords:
            _compare(row.step, self.chords, before.chords, after.chords, lambda one: one)

    def _take_track(self, step: str, track_id: TrackId, was: Track | None, now: Track | None) -> None:
        if was is None or now is None:
            self.tracks.setdefault(track_id, {})[step] = None
        else:
            if replace(was, clips=()) != replace(now, clips=()):
                self.mixes.setdefault(track_id, {})[step] = None
            _compare(step, self.automation, was.automation, now.automation, lambda one: (track_id, one.target))
        old, new, _ = _unlike((was or NO_TRACK).clips, (now or NO_TRACK).clips)
        _compare(step, self.clips, old, new, lambda one: one.id)


class Trace:
    """Caches what the rows of a preview touch, as it is asked for after every step of a run."""

    def __init__(self) -> None:
        self._found: tuple[Preview, Touched] | None = None

    def of(self, preview: Preview) -> Touched:
        """What the rows of a preview touch; found only once per preview."""
        if self._found is None or self._found[0] is not preview:
            self._found = preview, Touched(preview.rows)
        return self._found[1]


def _compare(
    step: str, touched: dict[Key, Steps], before: Iterable[One], after: Iterable[One], key: Callable[[One], Key]
) -> None:
    """Note a row at each of these things that it makes, changes or removes."""
    old, new = {key(one): one for one in before}, {key(one): one for one in after}
    for at in dict.fromkeys([*old, *new]):
        was, now = old.get(at), new.get(at)
        if was is not now and was != now:
            touched.setdefault(at, {})[step] = None


def _unlike(before: Sequence[Part], after: Sequence[Part]) -> tuple[Sequence[Part], Sequence[Part], Part | None]:
    """What is left of two sequences without their common beginning and end, and the last of that beginning.

    A row touches few of many clips, so that nearly all are the very same; comparing them by strides is quick.
    """
    first, shortest = 0, min(len(before), len(after))
    while first + _STRIDE <= shortest and _same(before, after, first, first):
        first += _STRIDE
    while first < shortest and before[first] is after[first]:
        first += 1
    last, room = 0, shortest - first
    while last + _STRIDE <= room and _same(before, after, len(before) - last - _STRIDE, len(after) - last - _STRIDE):
        last += _STRIDE
    while last < room and before[len(before) - 1 - last] is after[len(after) - 1 - last]:
        last += 1
    above = after[first - 1] if first else None
    return before[first:len(before) - last], after[first:len(after) - last], above


def _same(before: Sequence[object], after: Sequence[object], old: int, new: int) -> bool:
    """Whether a stride of both holds the very same things."""
    return list(map(id, before[old:old + _STRIDE])) == list(map(id, after[new:new + _STRIDE]))
