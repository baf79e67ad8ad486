"""Excerpts: some bars or tracks of a song as a song of their own, with a mix that stands still."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from itertools import pairwise

from msgspec.structs import replace

from agent.song.chart import within_stretch
from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Effect, Track


def excerpt(song: Song, first: int, last: int) -> Song:
    """The notes that begin in bars `first`-`last` as a song of its own that starts there, with the tempo, meter and
    stated chords of that place. Faders and effects are set to their mean over these bars; sections are left out."""
    start, end = (int(at) for at in song.bar_map.span(first, last))
    return replace(
        song,
        tempos=(replace(song.tempos[0], bpm=song.tempo_map.bpm(start)),),
        meters=(replace(song.bar_map.meter_at(start), at=Ticks(0)),),
        sections=(),
        chords=tuple(replace(one, start=Ticks(one.start - start)) for one in within_stretch(song.chords, start, end)),
        tracks=tuple(_cut(settled(track, start, end), start, end) for track in song.tracks),
    )


def only(song: Song, tracks: Collection[TrackId]) -> Song:
    """The song with all tracks but these muted; its bars stay the same."""
    return replace(
        song, tracks=tuple(t if t.id in tracks or t.mute else replace(t, mute=True) for t in song.tracks)
    )


def still(song: Song) -> Song:
    """The song without automation: every fader and effect at its mean over the song."""
    if not any(track.automation for track in song.tracks):
        return song
    return replace(song, tracks=tuple(settled(track, 0, int(song.end)) for track in song.tracks))


def settled(track: Track, start: int, end: int) -> Track:
    """The track without automation: each automated value is set to its mean from tick `start` to tick `end`."""
    if not track.automation or end <= start:
        return track
    lanes = {lane.target: lane for lane in track.automation}
    chain = tuple(_settled_effect(effect, lanes, start, end) for effect in track.effects)
    return replace(
        track, automation=(), effects=chain,
        volume_db=_mean(lanes.get("volume_db"), track.volume_db, start, end),
        pan=_mean(lanes.get("pan"), track.pan, start, end),
    )


def lane_value(lane: Automation | None, resting: float, at: int) -> float:
    """The value of an automation lane at a tick; `resting` is the value before its first point, and without a lane."""
    if lane is None or not lane.points or at < lane.points[0].at:
        return resting
    index = bisect_right([point.at for point in lane.points], at) - 1
    now = lane.points[index]
    if lane.curve == "hold" or index + 1 == len(lane.points):
        return now.value
    following = lane.points[index + 1]
    return now.value + (following.value - now.value) * (at - now.at) / (following.at - now.at)


def _mean(lane: Automation | None, resting: float, start: int, end: int) -> float:
    if lane is None:
        return resting
    inner = [int(point.at) for point in lane.points if start < point.at < end]
    area = 0.0
    for low, high in pairwise((start, *inner, end)):
        # a lane goes in lines, or holds, up to right before its next point
        area += (lane_value(lane, resting, low) + lane_value(lane, resting, high - 1)) / 2 * (high - low)
    return round(area / (end - start), 4)


def _settled_effect(effect: Effect, lanes: dict[str, Automation], start: int, end: int) -> Effect:
    prefix = f"{effect.id}."
    moved = {target.removeprefix(prefix): lane for target, lane in lanes.items() if target.startswith(prefix)}
    if not moved:
        return effect
    params = dict(effect.params)
    for name, lane in moved.items():
        params[name] = _mean(lane, params.get(name, lane.points[0].value), start, end)
    return replace(effect, params=tuple(sorted(params.items())))


def _cut(track: Track, start: int, end: int) -> Track:
    notes: list[Note] = []
    for clip in track.clips:
        if clip.start < end and clip.end > start:
            notes += [
                replace(note, start=Ticks(clip.start + note.start - start))
                for note in clip.notes
                if start <= clip.start + note.start < end
            ]
    kept = tuple(sorted(notes, key=lambda note: (note.start, note.pitch, note.id)))
    return replace(track, clips=(Clip(ClipId("excerpt"), track.name, Ticks(0), Ticks(max(1, end - start)), kept),))
