"""A plan with a person's decisions on it, judged on one song, and what of the song its rows touch."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from agent.plan.decision import Change, Decision, Reject
from agent.plan.document import Plan
from agent.plan.order import needed
from agent.plan.plan import Inputs, Step
from agent.review.preview import Preview, RowPreview
from agent.review.review import Review
from agent.song.chart import ChordSymbol
from agent.song.ids import ClipId, RunId, SectionId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.viewmodels.plan.replan_diff import ReplanDiff

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


class Sources:
    """Cache of the rows whose results each row takes as inputs, as finding them in the inputs of a long plan is
    slow."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Step, frozenset[str]]] = {}

    def of(self, steps: Sequence[Step]) -> dict[str, frozenset[str]]:
        """Ids of the rows whose results a row takes as inputs, by step id, in the order of `steps`. Rows that are
        unchanged since the last call are not read again."""
        found = {}
        for step in steps:
            known = self._known.get(step.id)
            found[step.id] = known[1] if known is not None and known[0] is step else needed(step)
        self._known = {step.id: (step, found[step.id]) for step in steps}
        return found


class Proposal(Struct, frozen=True, eq=False, dict=True):
    """A plan with a person's decisions on it.

    `plan` is what was proposed; `whole` is that plan with the person's changes but without rejections, so
    that a rejected row still shows what it would have done; `judged` is what would run.
    """

    plan: Plan
    whole: Review
    judged: Review
    song: Song
    """The song against which `judged` was checked."""
    changes: Mapping[str, Change] = {}
    rejections: Mapping[str, Reject] = {}
    replan_diff: ReplanDiff | None = None
    """The differences from the plan before, if some rows were asked for again; else None."""
    run: RunId | None = None
    """The queued run that waits for approval of this plan; None if there is none."""
    trace: Trace = field(default_factory=Trace)
    """Cache of what the rows of `judged` touch."""
    sources: Sources = field(default_factory=Sources)
    """Cache of which rows need which; kept from one decision to the next."""

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The person's decisions: changed inputs first, then rejections."""
        return (*self.changes.values(), *self.rejections.values())

    @property
    def approved(self) -> frozenset[str]:
        """Ids of the rows that would run."""
        return frozenset(step.id for step in self.judged.plan.steps)

    @cached_property
    def needs(self) -> dict[str, frozenset[str]]:
        """For each row, by step id, the ids of the rows whose results it takes as inputs."""
        return self.sources.of(self.plan.steps)

    @cached_property
    def blocked(self) -> dict[str, str]:
        """Ids of rows that cannot run because they need a rejected row, each with that row's id."""
        return blocked(list(self.needs), self.needs, frozenset(self.rejections)) if self.rejections else {}

    def inputs(self, step: str) -> Inputs:
        """The inputs of the row `step`, with the person's changes."""
        return self.whole.plan.step(step).inputs

    @property
    def ghost(self) -> Song | None:
        """The song as the plan would make it; None if the plan cannot be previewed."""
        return None if self.judged.preview is None else self.judged.preview.song


def blocked(order: Sequence[str], needs: Mapping[str, frozenset[str]], rejected: frozenset[str]) -> dict[str, str]:
    """Ids of rows that cannot run because they need a rejected row, directly or through others, each with that row's id
    (the first in `order`).

    `needs` are the ids of the rows that each row needs."""
    users: dict[str, list[str]] = {}
    for step, sources in needs.items():
        for source in sources:
            users.setdefault(source, []).append(step)
    fallen: dict[str, str] = {}
    for root in order:
        frontier = [root] if root in rejected else []
        while frontier:
            for user in users.get(frontier.pop(), ()):
                if user not in fallen and user not in rejected:
                    fallen[user] = root
                    frontier.append(user)
    return fallen
