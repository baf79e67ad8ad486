"""Ghosts: what a proposed plan would still add to, change in and take from the song, row by row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from agent.song.chart import ChordSymbol
from agent.song.clip import Clip
from agent.song.ids import ClipId, TrackId
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Automation, Track
from app.viewmodels.plan.proposal import Key, Proposal, Steps, Touched

Kind = Literal["added", "changed", "removed"]
Part = TypeVar("Part")
Change = TypeVar("Change", bound=TempoChange | MeterChange)


class Cause(Struct, frozen=True):
    """The row (`step`) that a ghost comes from, and the ids of all rows (`steps`) that change the same thing. `number`
    is the row's number in the plan's table."""

    number: int
    step: str
    steps: frozenset[str]


class GhostClip(Struct, frozen=True):
    """A clip as the plan would leave it; a removed one as it is now. `track` is the track that holds `clip`. `replaced`
    is the song's clip that it replaces: its state before, or the removed clip of the same track that it covers most of;
    None if there is none."""

    cause: Cause
    kind: Kind
    track: TrackId
    clip: Clip
    replaced: Clip | None = None


class GhostTrack(Struct, frozen=True):
    """A track that the plan adds or removes (`kind`); `after` is the track below which an added one is put, None on top
    and for a removed one."""

    cause: Cause
    kind: Kind
    track: Track
    after: TrackId | None = None


class GhostChange(Struct, Generic[Change], frozen=True):
    """A tempo or meter that the plan sets from a tick on; a removed one as it is now. `was` is the one that it
    replaces, None if there is none."""

    cause: Cause
    change: Change
    kind: Kind = "added"
    was: Change | None = None


GhostTempo: TypeAlias = GhostChange[TempoChange]
GhostMeter: TypeAlias = GhostChange[MeterChange]


class GhostSection(Struct, frozen=True):
    """A section as the plan would leave it; a removed one as it is now."""

    cause: Cause
    kind: Kind
    section: Section


class GhostAutomation(Struct, frozen=True):
    """An automation curve of a track as the plan would leave it; a removed one as it is now. `was` is the curve in the
    song, None if it has none."""

    cause: Cause
    kind: Kind
    track: TrackId
    curve: Automation
    was: Automation | None = None


AnyGhost: TypeAlias = GhostClip | GhostTrack | GhostTempo | GhostMeter | GhostSection | GhostAutomation


class Ghosts(Struct, frozen=True):
    """All ghosts of a plan. `marks` are, by track, the rows that change the track itself (its sound, mix or name);
    `chords` the rows that state or remove a chord."""

    clips: tuple[GhostClip, ...] = ()
    tracks: tuple[GhostTrack, ...] = ()
    tempos: tuple[GhostTempo, ...] = ()
    meters: tuple[GhostMeter, ...] = ()
    sections: tuple[GhostSection, ...] = ()
    automation: tuple[GhostAutomation, ...] = ()
    marks: Mapping[TrackId, tuple[Cause, ...]] = {}
    chords: Mapping[ChordSymbol, Cause] = {}

    @property
    def steps(self) -> frozenset[str]:
        """Ids of the rows of which the timeline shows something."""
        made: tuple[AnyGhost, ...] = (
            *self.clips, *self.tracks, *self.tempos, *self.meters, *self.sections, *self.automation,
        )
        causes = [*(one.cause for one in made), *(mark for marks in self.marks.values() for mark in marks)]
        causes += self.chords.values()
        return frozenset(step for cause in causes for step in cause.steps)


def ghosts_of(song: Song, proposal: Proposal | None, done: Collection[str] = ()) -> Ghosts:
    """The difference between the song and what the proposal would make of it, without what only the rows in `done`
    cause: those that a run has already carried out on `song`.

    Rejected rows, and those that need them, cause no ghosts, even before the plan has been checked again without
    them."""
    if proposal is None or proposal.judged.preview is None:
        return Ghosts()
    causes = _Causes(proposal, {*done, *proposal.rejections, *proposal.blocked})
    ghost = proposal.judged.preview.song
    return Ghosts(
        _clips(song, ghost, causes), _tracks(song, ghost, causes),
        _changes(song.tempos, ghost.tempos, causes.touched.tempos, causes),
        _changes(song.meters, ghost.meters, causes.touched.meters, causes), _sections(song, ghost, causes),
        _automation(song, ghost, causes), causes.marks(song), causes.chords(song, ghost),
    )


def made_by(proposal: Proposal | None, rows: Collection[str]) -> frozenset[ClipId]:
    """Ids of the proposed clips that only the rows `rows` (step ids) make or change; empty if there is no proposal or
    no preview."""
    if proposal is None or proposal.judged.preview is None:
        return frozenset()
    touched, made = proposal.trace.of(proposal.judged.preview), set(rows)
    return frozenset(clip for clip, steps in touched.clips.items() if steps.keys() <= made)


class _Causes:
    """What the rows of a proposal touch, without those that are `gone`."""

    def __init__(self, proposal: Proposal, gone: Collection[str]) -> None:
        self._numbers = {step.id: number for number, step in enumerate(proposal.whole.plan.steps, 1)}
        self._gone = gone
        preview = proposal.judged.preview
        self.touched = Touched() if preview is None else proposal.trace.of(preview)

    def of(self, touched: Mapping[Key, Steps], key: Key) -> Cause | None:
        """The rows that touched a part; the first one names it."""
        steps = [step for step in touched.get(key, ()) if step not in self._gone]
        return Cause(self._numbers.get(steps[0], 0), steps[0], frozenset(steps)) if steps else None

    def differences(
        self, touched: Mapping[Key, Steps], old: Mapping[Key, Part], new: Mapping[Key, Part], keys: Iterable[Key]
    ) -> Iterator[tuple[Cause, Kind, Part, Part | None]]:
        """Of these parts those that are other: the new one (of a removed one the old), and the one before it."""
        for key in keys:
            was, now, cause = old.get(key), new.get(key), self.of(touched, key)
            if was == now or cause is None:
                continue
            if now is not None:
                yield cause, "added" if was is None else "changed", now, was
            elif was is not None:
                yield cause, "removed", was, None

    def marks(self, song: Song) -> dict[TrackId, tuple[Cause, ...]]:
        """Rows that change a track of the song itself."""
        found = {
            track.id: tuple(
                Cause(self._numbers.get(step, 0), step, frozenset([step]))
                for step in self.touched.mixes.get(track.id, ()) if step not in self._gone
            )
            for track in song.tracks
        }
        return {track: causes for track, causes in found.items() if causes}

    def chords(self, song: Song, ghost: Song) -> dict[ChordSymbol, Cause]:
        """Rows that state chords of the ghost, or take out some of the song's, by the chord."""
        unlike = {*song.chords} ^ {*ghost.chords}
        return {
            chord: cause for chord in self.touched.chords if chord in unlike
            and (cause := self.of(self.touched.chords, chord)) is not None
        }


def _clips(song: Song, ghost: Song, causes: _Causes) -> tuple[GhostClip, ...]:
    touched = causes.touched.clips
    old = {clip.id: (track.id, clip) for track, clip in song.clips() if clip.id in touched}
    new = {clip.id: (track.id, clip) for track, clip in ghost.clips() if clip.id in touched}
    removed: dict[TrackId, list[Clip]] = {}
    for clip_id, (track_id, clip) in old.items():
        if clip_id not in new:
            removed.setdefault(track_id, []).append(clip)
    found = []
    for cause, kind, (track_id, clip), was in causes.differences(touched, old, new, dict.fromkeys([*new, *old])):
        covered = _covered(clip, removed.get(track_id, ())) if kind == "added" else None
        found.append(GhostClip(cause, kind, track_id, clip, covered if was is None else was[1]))
    return tuple(found)


def _covered(clip: Clip, removed: Sequence[Clip]) -> Clip | None:
    """The removed clip of a track that a new one covers most of."""
    shares = [(min(clip.end, old.end) - max(clip.start, old.start), old) for old in removed]
    best = max(shares, key=lambda one: one[0], default=None)
    return best[1] if best is not None and best[0] > 0 else None


def _tracks(song: Song, ghost: Song, causes: _Causes) -> tuple[GhostTrack, ...]:
    old = {track.id for track in song.tracks}
    new = {track.id: track for track in ghost.tracks}
    touched, found = causes.touched, []
    for track_id, above in touched.above.items():
        cause = causes.of(touched.tracks, track_id)
        if track_id in new and track_id not in old and cause is not None:
            found.append(GhostTrack(cause, "added", new[track_id], above))
    for track in song.tracks:
        cause = causes.of(touched.tracks, track.id)
        if track.id not in new and cause is not None:
            found.append(GhostTrack(cause, "removed", track))
    return tuple(found)


def _changes(
    old: Sequence[Change], new: Sequence[Change], touched: Mapping[Ticks, Steps], causes: _Causes
) -> tuple[GhostChange[Change], ...]:
    was = {one.at: one for one in old}
    now = {one.at: one for one in new}
    found = causes.differences(touched, was, now, sorted({*was, *now}))
    return tuple(GhostChange(cause, change, kind, before) for cause, kind, change, before in found)


def _sections(song: Song, ghost: Song, causes: _Causes) -> tuple[GhostSection, ...]:
    old, new = {one.id: one for one in song.sections}, {one.id: one for one in ghost.sections}
    found = causes.differences(causes.touched.sections, old, new, dict.fromkeys([*old, *new]))
    return tuple(GhostSection(cause, kind, section) for cause, kind, section, _ in found)


def _automation(song: Song, ghost: Song, causes: _Causes) -> tuple[GhostAutomation, ...]:
    """Curves of tracks that are there with the plan and without it."""
    touched, stay = causes.touched.automation, {one.id for one in song.tracks} & {one.id for one in ghost.tracks}
    old, new = (
        {(track.id, curve.target): curve for track in one.tracks if track.id in stay for curve in track.automation}
        for one in (song, ghost)
    )
    return tuple(
        GhostAutomation(cause, kind, track, curve, was)
        for track, target in touched
        for cause, kind, curve, was in causes.differences(touched, old, new, [(track, target)])
    )
