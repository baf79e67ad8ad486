"""Ghosts: what a proposed plan would still add to, change in and take from the song, row by row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from agent.song.chart import ChordSymbol
from agent.song.clip import Clip
from agent.song.ids import ClipId, TrackId
from agent.song.song import Section, Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Automation, Track
from app.desktop.plan.proposal import Proposal
from app.desktop.plan.touched import NO_TRACK, Key, Steps, Touched

Kind = Literal["added", "changed", "removed"]
Placed = dict[ClipId, tuple[Track, Clip]]
Change = TypeVar("Change", TempoChange, MeterChange)


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
    """A tempo that the plan sets from a tick on; of a removed one, as it is. `was` is the one it takes the place of."""

    cause: Cause
    change: TempoChange
    kind: Kind = "added"
    was: TempoChange | None = None


class GhostMeter(Struct, frozen=True):
    """A meter that the plan sets from a tick on, as `GhostTempo`."""

    cause: Cause
    change: MeterChange
    kind: Kind = "added"
    was: MeterChange | None = None


class GhostSection(Struct, frozen=True):
    """A section as the plan would leave it; of a removed one, as it is."""

    cause: Cause
    kind: Kind
    section: Section


class GhostAutomation(Struct, frozen=True):
    """A curve of a track of the song as the plan would leave it; of a removed one, as it is."""

    cause: Cause
    kind: Kind
    track: TrackId
    curve: Automation
    was: Automation | None = None


Ghost: TypeAlias = GhostClip | GhostTrack | GhostTempo | GhostMeter | GhostSection | GhostAutomation


class Ghosts(Struct, frozen=True):
    """All ghosts of a plan. `marks` are rows that change a track itself: its sound, mix or name; `chords` those that
    state a chord, or take one out."""

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
        """Rows of which the timeline shows something."""
        made: tuple[Ghost, ...] = (
            *self.clips, *self.tracks, *self.tempos, *self.meters, *self.sections, *self.automation,
        )
        causes = [*(one.cause for one in made), *(mark for marks in self.marks.values() for mark in marks)]
        causes += self.chords.values()
        return frozenset(step for cause in causes for step in cause.steps)


def ghosts_of(song: Song, proposal: Proposal | None, done: Collection[str] = ()) -> Ghosts:
    """The difference between the song and what the proposal would make of it, as far as rows still cause it.

    `done` are rows that a run has already carried out on `song`. Rejected rows and those that need them cause
    nothing, also before the rest has been judged without them.
    """
    if proposal is None or proposal.judged.preview is None:
        return Ghosts()
    causes = _Causes(proposal, {*done, *proposal.rejections, *proposal.blocked})
    ghost = proposal.judged.preview.song
    return Ghosts(
        _clips(song, ghost, causes), _tracks(song, ghost, causes),
        tuple(
            GhostTempo(cause, change, kind, was)
            for cause, change, kind, was in _changes(song.tempos, ghost.tempos, causes, causes.touched.tempos)
        ),
        tuple(
            GhostMeter(cause, change, kind, was)
            for cause, change, kind, was in _changes(song.meters, ghost.meters, causes, causes.touched.meters)
        ),
        _sections(song, ghost, causes), _automation(song, ghost, causes), causes.marks(song),
        causes.chords(song, ghost),
    )


def made_by(proposal: Proposal | None, rows: Collection[str]) -> frozenset[ClipId]:
    """Clips of the ghost that these rows made or changed and that no other row of the plan has a part in."""
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
    old: Placed = {clip.id: (track, clip) for track, clip in song.clips() if clip.id in touched}
    new: Placed = {clip.id: (track, clip) for track, clip in ghost.clips() if clip.id in touched}
    removed: dict[TrackId, list[Clip]] = {}
    for clip_id, (track, clip) in old.items():
        if clip_id not in new:
            removed.setdefault(track.id, []).append(clip)
    found = []
    for clip_id, (track, clip) in new.items():
        was = old.get(clip_id)
        if was is not None and was[1] == clip and was[0].id == track.id:
            continue
        cause = causes.of(touched, clip_id)
        if cause is not None and was is None:
            found.append(GhostClip(cause, "added", track.id, clip, _covered(clip, removed.get(track.id, ()))))
        elif cause is not None and was is not None:
            found.append(GhostClip(cause, "changed", track.id, clip, was[1]))
    for track_id, clips in removed.items():
        for clip in clips:
            cause = causes.of(touched, clip.id)
            if cause is not None:
                found.append(GhostClip(cause, "removed", track_id, clip))
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
    song: Sequence[Change], ghost: Sequence[Change], causes: _Causes, touched: Mapping[Ticks, Steps]
) -> list[tuple[Cause, Change, Kind, Change | None]]:
    """Changes of tempo or meter that are other in the ghost."""
    old: dict[Ticks, Change] = {one.at: one for one in song}
    new: dict[Ticks, Change] = {one.at: one for one in ghost}
    found: list[tuple[Cause, Change, Kind, Change | None]] = []
    for at in sorted({*old, *new}):
        was, now, cause = old.get(at), new.get(at), causes.of(touched, at)
        if was == now or cause is None:
            continue
        if now is not None:
            found.append((cause, now, "added" if was is None else "changed", was))
        elif was is not None:
            found.append((cause, was, "removed", None))
    return found


def _sections(song: Song, ghost: Song, causes: _Causes) -> tuple[GhostSection, ...]:
    old = {section.id: section for section in song.sections}
    new = {section.id: section for section in ghost.sections}
    found = []
    for section_id in dict.fromkeys([*old, *new]):
        was, now = old.get(section_id), new.get(section_id)
        cause = causes.of(causes.touched.sections, section_id)
        if was == now or cause is None:
            continue
        if now is not None:
            found.append(GhostSection(cause, "added" if was is None else "changed", now))
        elif was is not None:
            found.append(GhostSection(cause, "removed", was))
    return tuple(found)


def _automation(song: Song, ghost: Song, causes: _Causes) -> tuple[GhostAutomation, ...]:
    old = {track.id: track for track in song.tracks}
    new = {track.id: track for track in ghost.tracks}
    found = []
    for key in causes.touched.automation:
        track_id, target = key
        was, now = _curve(old.get(track_id), target), _curve(new.get(track_id), target)
        cause = causes.of(causes.touched.automation, key)
        if was == now or cause is None or track_id not in old or track_id not in new:
            continue
        if now is not None:
            found.append(GhostAutomation(cause, "added" if was is None else "changed", track_id, now, was))
        elif was is not None:
            found.append(GhostAutomation(cause, "removed", track_id, was))
    return tuple(found)


def _curve(track: Track | None, target: str) -> Automation | None:
    return next((one for one in (track or NO_TRACK).automation if one.target == target), None)
