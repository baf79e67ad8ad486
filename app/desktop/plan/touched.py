"""Which rows of a plan touch which part of the song, as its preview foresees."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from msgspec.structs import replace

from agent.review.preview import Preview, RowPreview
from agent.song.chart import ChordSymbol
from agent.song.ids import ClipId, SectionId, TrackId
from agent.song.time import Ticks
from agent.song.track import Track

Key = TypeVar("Key", bound=Hashable)
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
    """For each part that some row makes, changes or removes the rows that do so."""

    def __init__(self, rows: Iterable[RowPreview] = ()) -> None:
        self.clips: dict[ClipId, Steps] = {}
        self.tracks: dict[TrackId, Steps] = {}
        self.mixes: dict[TrackId, Steps] = {}
        self.automation: dict[_Lane, Steps] = {}
        self.above: dict[TrackId, TrackId | None] = {}
        """For each track that a row adds the one above it, in the order in which they are added."""
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
        _put(row.step, self.tempos, _differing({one.at: one for one in before.tempos},
                                               {one.at: one for one in after.tempos}))
        _put(row.step, self.meters, _differing({one.at: one for one in before.meters},
                                               {one.at: one for one in after.meters}))
        _put(row.step, self.sections, _differing({one.id: one for one in before.sections},
                                                 {one.id: one for one in after.sections}))
        if before.chords is not after.chords:
            _put(row.step, self.chords, _differing({one: one for one in before.chords},
                                                   {one: one for one in after.chords}))

    def _take_track(self, step: str, track_id: TrackId, was: Track | None, now: Track | None) -> None:
        if was is None or now is None:
            _put(step, self.tracks, [track_id])
        elif replace(was, clips=()) != replace(now, clips=()):
            _put(step, self.mixes, [track_id])
        if was is not None and now is not None:
            curves = _differing({one.target: one for one in was.automation},
                                {one.target: one for one in now.automation})
            _put(step, self.automation, [(track_id, target) for target in curves])
        old, new, _ = _unlike((was or NO_TRACK).clips, (now or NO_TRACK).clips)
        _put(step, self.clips, _differing({one.id: one for one in old}, {one.id: one for one in new}))


class Trace:
    """Remembers what was found in a preview, because it is asked for after every step of a run."""

    def __init__(self) -> None:
        self._found: tuple[Preview, Touched] | None = None

    def of(self, preview: Preview) -> Touched:
        """What the rows of a preview touch."""
        if self._found is None or self._found[0] is not preview:
            self._found = preview, Touched(preview.rows)
        return self._found[1]


def _put(step: str, touched: dict[Key, Steps], keys: Iterable[Key]) -> None:
    for key in keys:
        touched.setdefault(key, {})[step] = None


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


def _differing(before: Mapping[Key, object], after: Mapping[Key, object]) -> Iterator[Key]:
    for key in dict.fromkeys([*before, *after]):
        was, now = before.get(key), after.get(key)
        if was is not now and was != now:
            yield key
