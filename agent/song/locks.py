"""Locks: what no step may change, and the proof that it did not."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from agent.song.errors import SongError
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track

_BAR = re.compile(r"[0-9]{1,7}")
BarNumber = Annotated[int, Meta(ge=1, le=9_999_999)]


class TrackLock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="lock", tag="track"):
    """Freezes a whole track with its mix, effects and automation."""

    track_id: TrackId


class BarsLock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="lock", tag="bars"):
    """Freezes notes, automation and clips that start in bars `first`-`last` (inclusive), and their place."""

    first: BarNumber
    last: BarNumber


Lock: TypeAlias = TrackLock | BarsLock


def describe(lock: Lock, song: Song) -> str:
    """The lock in words, for a person."""
    match lock:
        case TrackLock(track_id):
            names = [track.name for track in song.tracks if track.id == track_id]
            return f"track {names[0] if names else track_id}"
        case BarsLock(first, last):
            return f"bars {first}-{last}"


def digest(lock: Lock, song: Song) -> str:
    """SHA-256 over all that the lock freezes: two songs with equal digests agree there."""
    frozen = _track_part(lock.track_id, song) if isinstance(lock, TrackLock) else _bars_part(lock, song)
    return hashlib.sha256(msgspec.json.encode(frozen)).hexdigest()


def broken(locks: tuple[Lock, ...], before: Song, after: Song) -> Lock | None:
    """The first lock whose part differs between two songs."""
    for lock in locks:
        if before is not after and not _kept(lock, before, after):
            return lock
    return None


def parse_lock(text: str, song: Song) -> Lock:
    """A lock as a person writes it: `bars:9-16`, a track id, or a unique track name.

    Raises `SongError` for an unknown or ambiguous name (listing the ids) and for a malformed range.
    """
    if text.lower().startswith("bars:"):
        return _parse_bars(text)
    wanted = text.strip().casefold()
    found = [track for track in song.tracks if track.id == text or track.name.casefold() == wanted]
    if len(found) == 1:
        return TrackLock(found[0].id)
    tracks = ", ".join(f"{track.name} = {track.id}" for track in found or song.tracks) or "none"
    if found:
        raise SongError(f"the name {text!r} fits {len(found)} tracks", fix=f"use an id: {tracks}")
    raise SongError(f"there is no track called {text!r} to lock", why=f"the song has: {tracks}")


def _parse_bars(text: str) -> BarsLock:
    first, _, last = text[5:].partition("-")
    if not _BAR.fullmatch(first) or not _BAR.fullmatch(last or first):
        raise SongError(f"{text[:40]!r} is not a bar range", fix="write it like bars:9-16")
    lock = BarsLock(int(first), int(last or first))
    if lock.first < 1 or lock.last < lock.first:
        raise SongError(f"{text!r} is no bar range", why="bars count from 1", fix="write it like bars:9-16")
    return lock


def _track_part(track_id: TrackId, song: Song) -> Any:
    return [track for track in song.tracks if track.id == track_id]


def _bars_part(lock: BarsLock, song: Song) -> Any:
    (start, end), *_ = place = song.bar_map.shape(lock.first, lock.last)
    parts = [(track.id, *part) for track in song.tracks if any(part := _track_in(track, start, end))]
    return [*sorted(parts), *place]


def _track_in(track: Track, start: int, end: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Notes, clips and automation points of a track that start in a span of ticks."""
    notes = [
        (clip.start + note.start, note.pitch, note.duration, note.velocity, note.id)
        for clip in track.clips
        if clip.start < end and clip.end > start
        for note in clip.notes
        if start <= clip.start + note.start < end
    ]
    clips = [(clip.id, clip.start) for clip in track.clips if start <= clip.start < end]
    points = [
        (lane.target, lane.curve, point.at, point.value)
        for lane in track.automation
        for point in lane.points
        if start <= point.at < end
    ]
    return sorted(notes), clips, points


def _kept(lock: Lock, before: Song, after: Song) -> bool:
    """Whether the digests agree; parts that are the same object are not looked into."""
    if isinstance(lock, TrackLock):
        return bool(_track_part(lock.track_id, before) == _track_part(lock.track_id, after))
    place = before.bar_map.shape(lock.first, lock.last)
    if place != after.bar_map.shape(lock.first, lock.last):
        return False
    span = place[0]
    old = {track.id: track for track in before.tracks}
    new = {track.id: track for track in after.tracks}
    nothing = Track(TrackId(""), "", "")
    for track_id in old.keys() | new.keys():
        was, now = old.get(track_id, nothing), new.get(track_id, nothing)
        if was is not now and _track_in(was, *span) != _track_in(now, *span):
            return False
    return True
