"""Putting a changed part back into its whole, in canonical order."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.rules import check_clip, check_track
from agent.song.song import Song
from agent.song.track import Track

T = TypeVar("T")


def given(**fields: object) -> dict[str, object]:
    """The fields whose value is not `UNSET`, by name."""
    return {name: value for name, value in fields.items() if value is not UNSET}


def placed(items: tuple[T, ...], item: T, position: int | None) -> tuple[T, ...]:
    """The items with `item` inserted at index `position`; at the end if that is None or too large."""
    at = len(items) if position is None else min(position, len(items))
    return (*items[:at], item, *items[at:])


def with_track(song: Song, track: Track) -> Song:
    """The song with the track of the same id replaced. Raises `SongError` if the track breaks a rule; its clips are not
    checked."""
    check_track(track)
    return replace(song, tracks=tuple(track if old.id == track.id else old for old in song.tracks))


def with_clips(song: Song, changed: Mapping[TrackId, list[Clip]]) -> Song:
    """The song with all clips of some tracks replaced, sorted. Raises `SongError` if one of these tracks breaks a
    rule."""
    for track_id, clips in changed.items():
        ordered = tuple(sorted(clips, key=attrgetter("start", "id")))
        song = with_track(song, replace(song.track(track_id), clips=ordered))
    return song


def put_clip(song: Song, track: Track, clip: Clip) -> Song:
    """The song with a clip added to the track, in place of a clip of the same id there. Raises `SongError` if the clip
    breaks a rule."""
    check_clip(clip, track)
    return with_clips(song, {track.id: [*[old for old in track.clips if old.id != clip.id], clip]})


def drop_clip(song: Song, track: Track, clip: Clip) -> Song:
    """The song without the clip."""
    return with_clips(song, {track.id: [old for old in track.clips if old.id != clip.id]})
