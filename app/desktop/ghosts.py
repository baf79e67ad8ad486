"""Ghosts: what a proposed plan would still add to, change in and take from the song, row by row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from agent.review.preview import RowPreview
from agent.song.clip import Clip
from agent.song.ids import ClipId, SectionId, TrackId
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Track
from app.desktop.reviewing import Proposal

Kind = Literal["added", "changed", "removed"]
Placed = dict[ClipId, tuple[Track, Clip]]
Rows = Mapping[str, int]
"""Ids of the rows that make something with their numbers, in the order of the plan."""
Key = TypeVar("Key")
NO_TRACK = Track(TrackId(""), "", "")


class Cause(Struct, frozen=True):
    """The row that makes a ghost, and all rows that had a part in it. `number` is as in the plan's table."""

    number: int
    step: str
    steps: frozenset[str]


class GhostClip(Struct, frozen=True):
    """A clip as the plan would leave it; of a removed one, as it is. `track` is where `clip` lies.

    `replaced` is the song's clip that it takes the place of: the same one before, or the removed one of the
    same track that it covers most of.
    """

    cause: Cause
    kind: Kind
    track: TrackId
    clip: Clip
    replaced: Clip | None = None


class GhostTrack(Struct, frozen=True):
    """A track that the plan adds or removes; `after` is the track that an added one was put below."""

    cause: Cause
    kind: Kind
    track: Track
    after: TrackId | None = None


class GhostTempo(Struct, frozen=True):
    """A tempo that the plan sets from a tick on."""

    cause: Cause
    change: TempoChange


class GhostMeter(Struct, frozen=True):
    """A meter that the plan sets from a tick on."""

    cause: Cause
    change: MeterChange


class GhostSection(Struct, frozen=True):
    """A section as the plan would leave it; of a removed one, as it is."""

    cause: Cause
    kind: Kind
    section: Section


class Ghosts(Struct, frozen=True):
    """All ghosts of a plan. `marks` are rows that change a track itself: its sound, mix or name."""

    clips: tuple[GhostClip, ...] = ()
    tracks: tuple[GhostTrack, ...] = ()
    tempos: tuple[GhostTempo, ...] = ()
    meters: tuple[GhostMeter, ...] = ()
    sections: tuple[GhostSection, ...] = ()
    marks: Mapping[TrackId, tuple[Cause, ...]] = {}

    @property
    def steps(self) -> frozenset[str]:
        """Rows of which the timeline shows something."""
        causes = [
            *(one.cause for one in self.clips), *(one.cause for one in self.tracks),
            *(one.cause for one in self.tempos), *(one.cause for one in self.meters),
            *(one.cause for one in self.sections), *(mark for marks in self.marks.values() for mark in marks),
        ]
        return frozenset(step for cause in causes for step in cause.steps)


def ghosts_of(song: Song, proposal: Proposal | None, done: Collection[str] = ()) -> Ghosts:
    """The difference between the song and what the proposal would make of it, as far as rows still cause it.

    `done` are rows that a run has already carried out on `song`. Rejected rows and those that need them cause
    nothing, also before the rest has been judged without them.
    """
    if proposal is None or proposal.judged.preview is None:
        return Ghosts()
    numbers = {step.id: number for number, step in enumerate(proposal.plan.steps, 1)}
    gone = {*done, *proposal.rejections, *proposal.blocked}
    rows = [row for row in proposal.judged.preview.rows if row.step not in gone]
    touched = _Touched(rows, numbers)
    ghost = proposal.judged.preview.song
    return Ghosts(
        _clips(song, ghost, touched), _tracks(song, ghost, touched),
        tuple(
            GhostTempo(cause, change)
            for change in ghost.tempos
            if change not in song.tempos and (cause := touched.cause(touched.tempos, change.at))
        ),
        tuple(
            GhostMeter(cause, change)
            for change in ghost.meters
            if change not in song.meters and (cause := touched.cause(touched.meters, change.at))
        ),
        _sections(song, ghost, touched), touched.marks(song),
    )


def made_by(proposal: Proposal | None, rows: Collection[str]) -> frozenset[ClipId]:
    """Clips of the ghost that these rows made or changed and that no other row of the plan has a part in."""
    if proposal is None or proposal.judged.preview is None:
        return frozenset()
    numbers = {step.id: number for number, step in enumerate(proposal.plan.steps, 1)}
    touched = _Touched(proposal.judged.preview.rows, numbers)
    return frozenset(clip for clip, causes in touched.clips.items() if causes.keys() <= set(rows))


class _Touched:
    """Which rows touch which part of the song."""

    def __init__(self, rows: Iterable[RowPreview], numbers: Rows) -> None:
        self._numbers = numbers
        self.clips: dict[ClipId, dict[str, int]] = {}
        self.tracks: dict[TrackId, dict[str, int]] = {}
        self.mixes: dict[TrackId, dict[str, int]] = {}
        self.above: dict[TrackId, TrackId | None] = {}
        """For each track that a row adds the one above it, in the order in which they are added."""
        self.tempos: dict[Ticks, dict[str, int]] = {}
        self.meters: dict[Ticks, dict[str, int]] = {}
        self.sections: dict[SectionId, dict[str, int]] = {}
        for row in rows:
            self._take(row)

    def cause(self, touched: Mapping[Key, dict[str, int]], key: Key) -> Cause | None:
        """The rows that touched a part; the first one names it."""
        causes = touched.get(key)
        if not causes:
            return None
        step, number = next(iter(causes.items()))
        return Cause(number, step, frozenset(causes))

    def marks(self, song: Song) -> dict[TrackId, tuple[Cause, ...]]:
        """Rows that change a track of the song itself."""
        return {
            track.id: tuple(Cause(number, step, frozenset([step])) for step, number in causes.items())
            for track in song.tracks if (causes := self.mixes.get(track.id))
        }

    def _take(self, row: RowPreview) -> None:
        before, after = row.before, row.after
        if before is after:
            return
        # A row touches few of many tracks, and this is done for all rows after each row of a run.
        same = _shared(before.tracks, after.tracks)
        old = {track.id: track for track in before.tracks[same:]}
        new = {track.id: track for track in after.tracks[same:]}
        for track_id in dict.fromkeys([*old, *new]):
            was, now = old.get(track_id), new.get(track_id)
            if was is not now:
                self._take_track(row, track_id, was, now)
        above = after.tracks[same - 1] if same else None
        for track in after.tracks[same:]:
            if track.id not in old:
                self.above[track.id] = None if above is None else above.id
            above = track
        self._put(row, self.tempos, _differing({one.at: one for one in before.tempos},
                                              {one.at: one for one in after.tempos}))
        self._put(row, self.meters, _differing({one.at: one for one in before.meters},
                                              {one.at: one for one in after.meters}))
        self._put(row, self.sections, _differing({one.id: one for one in before.sections},
                                                {one.id: one for one in after.sections}))

    def _take_track(self, row: RowPreview, track_id: TrackId, was: Track | None, now: Track | None) -> None:
        if was is None or now is None:
            self._put(row, self.tracks, [track_id])
        elif replace(was, clips=()) != replace(now, clips=()):
            self._put(row, self.mixes, [track_id])
        before = {clip.id: clip for clip in (was or NO_TRACK).clips}
        after = {clip.id: clip for clip in (now or NO_TRACK).clips}
        self._put(row, self.clips, _differing(before, after))

    def _put(self, row: RowPreview, touched: dict[Key, dict[str, int]], keys: Iterable[Key]) -> None:
        for key in keys:
            touched.setdefault(key, {})[row.step] = self._numbers.get(row.step, 0)


def _shared(before: Sequence[Track], after: Sequence[Track]) -> int:
    """How many tracks at the beginning are the very same."""
    pairs = zip(before, after, strict=False)
    return next((at for at, (was, now) in enumerate(pairs) if was is not now), min(len(before), len(after)))


def _differing(before: Mapping[Key, object], after: Mapping[Key, object]) -> Iterator[Key]:
    for key in dict.fromkeys([*before, *after]):
        was, now = before.get(key), after.get(key)
        if was is not now and was != now:
            yield key


def _clips(song: Song, ghost: Song, touched: _Touched) -> tuple[GhostClip, ...]:
    old: Placed = {clip.id: (track, clip) for track, clip in song.clips()}
    new: Placed = {clip.id: (track, clip) for track, clip in ghost.clips()}
    removed = {clip_id: place for clip_id, place in old.items() if clip_id not in new and clip_id in touched.clips}
    found = []
    for clip_id, (track, clip) in new.items():
        was = old.get(clip_id)
        cause = touched.cause(touched.clips, clip_id)
        if cause is None or (was is not None and was[1] == clip and was[0].id == track.id):
            continue
        if was is None:
            found.append(GhostClip(cause, "added", track.id, clip, _covered(track.id, clip, removed)))
        else:
            found.append(GhostClip(cause, "changed", track.id, clip, was[1]))
    for clip_id, (track, clip) in removed.items():
        cause = touched.cause(touched.clips, clip_id)
        if cause is not None:
            found.append(GhostClip(cause, "removed", track.id, clip))
    return tuple(found)


def _covered(track: TrackId, clip: Clip, removed: Placed) -> Clip | None:
    """The removed clip of a track that a new one covers most of."""
    shares = [
        (min(clip.end, old.end) - max(clip.start, old.start), old)
        for where, old in removed.values() if where.id == track
    ]
    best = max(shares, key=lambda one: one[0], default=None)
    return best[1] if best is not None and best[0] > 0 else None


def _tracks(song: Song, ghost: Song, touched: _Touched) -> tuple[GhostTrack, ...]:
    old = {track.id for track in song.tracks}
    new = {track.id for track in ghost.tracks}
    found = []
    for track_id, above in touched.above.items():
        cause = touched.cause(touched.tracks, track_id)
        if track_id in new and track_id not in old and cause is not None:
            found.append(GhostTrack(cause, "added", ghost.track(track_id), above))
    for track in song.tracks:
        cause = touched.cause(touched.tracks, track.id)
        if track.id not in new and cause is not None:
            found.append(GhostTrack(cause, "removed", track))
    return tuple(found)


def _sections(song: Song, ghost: Song, touched: _Touched) -> tuple[GhostSection, ...]:
    old = {section.id: section for section in song.sections}
    new = {section.id: section for section in ghost.sections}
    found = []
    for section_id in dict.fromkeys([*old, *new]):
        was, now = old.get(section_id), new.get(section_id)
        cause = touched.cause(touched.sections, section_id)
        if was == now or cause is None:
            continue
        if now is not None:
            found.append(GhostSection(cause, "added" if was is None else "changed", now))
        elif was is not None:
            found.append(GhostSection(cause, "removed", was))
    return tuple(found)
