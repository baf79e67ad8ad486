"""What a plan may not change, its locks and what lies outside of its fence, and the proof that it did not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from agent.song.clip import Clip
from agent.song.fence import Fence, describe_fence
from agent.song.ids import ClipId, TrackId
from agent.song.locks import Lock, broken, describe
from agent.song.song import Song
from agent.song.track import Automation, Track
from agent.theory.excerpts import lane_value

Part: TypeAlias = tuple[str, Any]
"""What is closed, in words, and a value that is equal as long as it stays as it is."""
_CONTROLLERS = (("expression", 127.0), ("modulation", 0.0), ("pedal", 0.0), ("bend", 0.0))
_DIGITS = 3


class Closed(Struct, frozen=True):
    """What a plan may not change: its locks, and all that lies outside of its fence (None: no fence). `base` is the
    song that it was made for."""

    locks: tuple[Lock, ...]
    fence: Fence | None
    base: Song

    def refusal(self, before: Song, after: Song) -> str:
        """The locked or fenced thing that a change from `before` to `after` touches, and why it may not: "the bass,
        which is locked". Empty if the change is allowed."""
        lock = broken(self.locks, before, after)
        if lock is not None:
            return f"{describe(lock, before)}, which is locked"
        return "" if self.fence is None or before is after else self.breach(after)

    def breach(self, after: Song) -> str:
        """The first thing outside of the fence that differs between `base` and `after`, and what may change instead;
        empty if nothing differs or there is no fence."""
        if self.fence is None:
            return ""
        touched = _Outside(self.fence, self.base).touched(after)
        return f"{touched}: only {describe_fence(self.fence, self.base)} may change" if touched else ""


def outside_digest(fence: Fence, base: Song, song: Song) -> str:
    """SHA-256 over all of a song that lies outside of the fence of a plan for `base`."""
    parts = [part for _, part in _Outside(fence, base).parts(song)]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


class _Outside:
    """Takes songs apart into what lies outside of a fence. Bars and clips are where `base` has them."""

    def __init__(self, fence: Fence, base: Song) -> None:
        self._fence = fence
        self._base = base
        self._span = None if fence.bars is None else base.bar_map.span(*fence.bars)

    @cached_property
    def _tracks(self) -> dict[TrackId, Track]:
        return {track.id: track for track in self._base.tracks}

    @cached_property
    def _clips(self) -> dict[ClipId, Clip]:
        return {clip.id: clip for _, clip in self._base.clips()}

    @cached_property
    def _open_clips(self) -> dict[TrackId, list[Clip]]:
        """By track, its clips that may change."""
        found: dict[TrackId, list[Clip]] = {}
        for track, clip in self._base.clips() if self._fence.clips else ():
            if clip.id in self._fence.clips:
                found.setdefault(track.id, []).append(clip)
        return found

    def touched(self, after: Song) -> str:
        """What is another there, in words; empty for nothing."""
        for (words, was), (_, now) in zip(self._frame(self._base), self._frame(after), strict=True):
            if was != now:
                return words
        there = {track.id: track for track in after.tracks}
        for track in self._base.tracks:
            now = there.get(track.id)
            if now is track or self._wholly_open(track.id):
                continue
            if now is None:
                return f"the track {track.name}, which would be gone"
            for (words, part), (_, other) in zip(self._kept(track), self._kept(now), strict=True):
                if part != other:
                    return f"{words} {track.name}{self._elsewhere(track.id)}"
        if self._order(self._base) != self._order(after):
            return "the order of the tracks"
        strangers = self._strangers(after)
        return f"the band: {strangers[0].name} would be a new track" if strangers else ""

    def parts(self, song: Song) -> Iterator[Part]:
        """All of it, in an order of its own."""
        yield from self._frame(song)
        there = {track.id: track for track in song.tracks}
        for track in self._base.tracks:
            if not self._wholly_open(track.id):
                now = there.get(track.id)
                yield track.name, None if now is None else [part for _, part in self._kept(now)]
        yield "the order of the tracks", self._order(song)
        yield "new tracks", [track.id for track in self._strangers(song)]

    def _elsewhere(self, track: TrackId) -> str:
        if self._span is None or self._fence.bars is None or not self._reaches(track):
            return ""
        first, last = self._fence.bars
        return f" outside of bar {first}" if first == last else f" outside of bars {first}-{last}"

    def _frame(self, song: Song) -> Iterator[Part]:
        yield "the song's name", song.name
        yield "the tempo", self._tempos(song)
        yield "the time signature", song.meters
        yield "the key", song.key
        yield "the sections", song.sections
        yield "the loudness target", song.loudness_target
        yield "the SoundFont", song.soundfont
        yield "the effects of the master", song.master_effects

    def _order(self, song: Song) -> list[TrackId]:
        return [track.id for track in song.tracks if track.id in self._tracks and not self._wholly_open(track.id)]

    def _tempos(self, song: Song) -> Any:
        """Within bars that are open on all tracks the tempo is theirs too."""
        if self._span is None or self._fence.names_parts:
            return song.tempos
        start, end = self._span
        outside = [change for change in song.tempos if change.at < start or change.at > end]
        return outside, song.tempo_map.bpm(end)

    def _reaches(self, track: TrackId) -> bool:
        """Whether all of a track may change, within the bars if there are any."""
        return not self._fence.names_parts or track in self._fence.tracks

    def _wholly_open(self, track: TrackId) -> bool:
        return self._span is None and self._reaches(track)

    def _strangers(self, song: Song) -> list[Track]:
        """Tracks that are new there, and may not be or reach over the bars."""
        new = [track for track in song.tracks if track.id not in self._tracks]
        if not self._fence.allows_new_tracks:
            return new
        return [] if self._span is None else [track for track in new if not _within(track, *self._span)]

    def _kept(self, track: Track) -> Iterator[Part]:
        """What must stay of a track that is not wholly open, however it is called."""
        yield "the name or the instrument of", (track.name, track.instrument, track.type, track.color, track.soundfont)
        yield "the mix of", (track.volume_db, track.pan, track.mute, track.effects)
        bars = self._span if self._reaches(track.id) else None
        yield "the automation of", track.automation if bars is None else self._lanes(track, *bars)
        yield "the clips of", self._clips_outside(track)

    def _clips_outside(self, track: Track) -> Any:
        is_open = {clip.id for clip in track.clips if self._is_open(track.id, clip)}
        closed = [clip for clip in track.clips if clip.id not in is_open]
        if self._span is None:
            return closed
        # Of a clip that may change within the bars, or be split at their edge, only what reaches over them must stay.
        spans, notes = [], []
        for clip in track.clips:
            if clip.id in is_open:
                spans += [(*place, clip.name) for place in _over(clip.start, clip.end, *self._span)]
                notes += list(_notes_over(clip, *self._span))
        return closed, sorted(spans), sorted(notes)

    def _is_open(self, track: TrackId, clip: Clip) -> bool:
        if self._reaches(track):
            # One that only touches the bars may be what a split at their edge has left of a longer one.
            return self._span is None or (clip.start <= self._span[1] and clip.end >= self._span[0])
        places = self._open_clips.get(track, ())
        if clip.id in self._clips:
            return any(clip.id == one.id for one in places)
        return any(one.start <= clip.start and clip.end <= one.end for one in places)

    def _lanes(self, track: Track, start: int, end: int) -> Any:
        """The points outside of the bars, and what is heard right before and after them."""
        points = [
            (lane.target, lane.curve, point.at, point.value)
            for lane in track.automation
            for point in lane.points
            if not start <= point.at < end
        ]
        lanes = {lane.target: lane for lane in track.automation}
        at = [*([start - 1] if start else []), *([end] if end < self._base.end else [])]
        heard = [[round(_heard(lanes.get(target), resting, one), _DIGITS) for one in at]
                 for target, resting in self._resting(track.id)]
        return sorted(points), heard

    def _resting(self, track_id: TrackId) -> Iterator[tuple[str, float]]:
        """What the parameters of a track are without a lane."""
        track = self._tracks[track_id]
        params = ((f"{effect.id}.{name}", value) for effect in track.effects for name, value in effect.params)
        yield from chain((("volume_db", track.volume_db), ("pan", track.pan)), _CONTROLLERS, params)


def _within(track: Track, start: int, end: int) -> bool:
    points = [point.at for lane in track.automation for point in lane.points]
    return all(start <= clip.start and clip.end <= end for clip in track.clips) and \
        all(start <= at < end for at in points)


def _over(begin: int, stop: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a stretch that lie before `start` and from `end` on."""
    if begin < start:
        yield begin, min(stop, start)
    if stop > end:
        yield max(begin, end), stop


def _notes_over(clip: Clip, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    for note in clip.notes:
        at = clip.start + note.start
        if not start <= at < end:
            yield at, note.pitch, note.duration, note.velocity


def _heard(lane: Automation | None, resting: float, at: int) -> float:
    if lane is not None and lane.points and lane.curve == "linear" and at < lane.points[0].at:
        return lane.points[0].value
    return lane_value(lane, resting, at)
