"""A song with some tracks as they are in another version of it."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from agent.song.clip import Clip
from agent.song.ids import ClipId, Kind, TrackId, derive
from agent.song.rules import check
from agent.song.song import Song
from agent.song.track import Track

_MOST_NAMED = 3


def with_tracks(base: Song, other: Song, picked: Collection[TrackId]) -> Song:
    """`base` with the picked tracks as in `other`: changed, added at their place, or removed. A clip that is also on
    another track of the base gets a new id. Raises `SongError` if the result is no valid song."""
    wanted = {track.id: track for track in other.tracks if track.id in picked}
    kept = [wanted.get(track.id, track) for track in base.tracks if track.id in wanted or track.id not in picked]
    here = {track.id for track in base.tracks}
    for at, track in enumerate(other.tracks):
        if track.id in wanted and track.id not in here:
            kept.insert(_place(kept, other, at), track)
    taken = {clip.id for track in kept if track.id not in wanted for clip in track.clips}
    song = replace(base, tracks=tuple(_with_own_ids(one, taken) if one.id in wanted else one for one in kept))
    check(song)
    return song


def picked_names(a: Song, b: Song, picked: Collection[TrackId]) -> str:
    """The names of the picked tracks in one line."""
    names = {track.id: track.name for song in (a, b) for track in song.tracks if track.id in picked}
    said = list(names.values())
    more = len(said) - _MOST_NAMED
    return ", ".join(said[:_MOST_NAMED]) + (f" +{more}" if more > 0 else "")


def _place(kept: list[Track], other: Song, at: int) -> int:
    """Behind the nearest track that stands before it in the other song."""
    places = {track.id: place for place, track in enumerate(kept)}
    for track in reversed(other.tracks[:at]):
        if track.id in places:
            return places[track.id] + 1
    return 0


def _with_own_ids(track: Track, taken: set[ClipId]) -> Track:
    if not any(clip.id in taken for clip in track.clips):
        return track
    clips = [_renewed(clip, track.id, taken) if clip.id in taken else clip for clip in track.clips]
    return replace(track, clips=tuple(sorted(clips, key=lambda clip: (clip.start, clip.id))))


def _renewed(clip: Clip, track: TrackId, taken: set[ClipId]) -> Clip:
    turn = 0
    while (made := ClipId(derive(Kind.CLIP, "picked", clip.id, track, turn))) in taken:
        turn += 1
    return replace(clip, id=made)
