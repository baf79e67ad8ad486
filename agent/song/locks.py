"""Locks: what no step may change, and the proof that it did not."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeAlias, assert_never

import msgspec
from msgspec import Meta, Struct

from agent.message import msg
from agent.song.clip import Clip
from agent.song.errors import SongError
from agent.song.ids import ClipId, TrackId
from agent.song.song import Song
from agent.song.track import Track

_BAR = re.compile(r"[0-9]{1,7}")
_LISTED = 12
BarNumber = Annotated[int, Meta(ge=1, le=9_999_999)]


class TrackLock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="lock", tag="track"):
    """Freezes a whole track with its mix, effects and automation."""

    track_id: TrackId


class BarsLock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="lock", tag="bars"):
    """Freezes notes, automation and clips that start in bars `first`-`last` (inclusive), and their place."""

    first: BarNumber
    last: BarNumber


class ClipLock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="lock", tag="clip"):
    """Freezes what is written in a clip: its notes, name, length and place in ticks, on its track.

    How it sounds stays free, as with bars: instrument, mix, effects and automation belong to the track.
    """

    clip_id: ClipId


Aspect = Literal["tempo", "key", "chords"]
ASPECTS: tuple[Aspect, ...] = ("tempo", "key", "chords")


class SongLock(Struct, frozen=True, forbid_unknown_fields=True, tag_field="lock", tag="song"):
    """Freezes one thing of the whole song: its tempo with all changes of it, its key, or the chords that it states."""

    aspect: Aspect


Lock: TypeAlias = TrackLock | BarsLock | ClipLock | SongLock


def describe(lock: Lock, song: Song) -> str:
    """The lock in words, for a person."""
    match lock:
        case TrackLock(track_id):
            names = [track.name for track in song.tracks if track.id == track_id]
            return f"track {names[0] if names else track_id}"
        case BarsLock(first, last):
            return f"bars {first}-{last}"
        case ClipLock(clip_id):
            found = _clip_part(clip_id, song)
            return f"clip {found[0][1].name} of {song.track(found[0][0]).name}" if found else f"clip {clip_id}"
        case SongLock(aspect):
            return f"the {aspect}"


def digest(lock: Lock, song: Song) -> str:
    """SHA-256 over all that the lock freezes: two songs with equal digests agree there."""
    match lock:
        case TrackLock(track_id):
            frozen: Any = _track_part(track_id, song)
        case BarsLock():
            frozen = _bars_part(lock, song)
        case ClipLock(clip_id):
            frozen = _clip_part(clip_id, song)
        case SongLock(aspect):
            frozen = _aspect_part(aspect, song)
    return hashlib.sha256(msgspec.json.encode(frozen)).hexdigest()


def broken(locks: tuple[Lock, ...], before: Song, after: Song) -> Lock | None:
    """The first lock whose frozen part differs between two songs; None if all locks are kept."""
    if before is after or not locks:
        return None
    # Of all clips at once: a song may have thousands of them, and as many locks.
    clips = _changed_clips(before, after) if any(isinstance(lock, ClipLock) for lock in locks) else frozenset()
    for lock in locks:
        kept = lock.clip_id not in clips if isinstance(lock, ClipLock) else _kept(lock, before, after)
        if not kept:
            return lock
    return None


def standing(locks: Iterable[Lock], song: Song) -> tuple[Lock, ...]:
    """The locks that have something to freeze: those on a track or clip that the song does not have are left out."""
    locks = tuple(locks)
    tracks = {track.id for track in song.tracks}
    clips = {clip.id for _, clip in song.clips()} if any(isinstance(lock, ClipLock) for lock in locks) else set()
    return tuple(
        lock for lock in locks
        if (isinstance(lock, BarsLock | SongLock) or (isinstance(lock, TrackLock) and lock.track_id in tracks)
            or (isinstance(lock, ClipLock) and lock.clip_id in clips))
    )


def parse_lock(text: str, song: Song) -> Lock:
    """A lock as a person writes it: `bars:9-16`, `song:tempo`, `clip:` with a clip's id or unique name, a track id, or
    a unique track name.

    Raises `SongError` for an unknown or ambiguous name (listing the ids) and for a malformed range.
    """
    if text.lower().startswith("bars:"):
        return _parse_bars(text)
    if text.lower().startswith("clip:"):
        return _parse_clip(text[5:], song)
    if text.lower().startswith("song:"):
        return _parse_aspect(text)
    wanted = text.strip().casefold()
    found = [track for track in song.tracks if track.id == text or track.name.casefold() == wanted]
    if len(found) == 1:
        return TrackLock(found[0].id)
    tracks = ", ".join(f"{track.name} = {track.id}" for track in found or song.tracks) or "none"
    if found:
        raise SongError(
            msg("the name {text!r} fits {count} tracks", text=text, count=len(found)),
            fix=msg("use an id: {tracks}", tracks=tracks),
        )
    raise SongError(
        msg("there is no track called {text!r} to lock", text=text), why=msg("the song has: {tracks}", tracks=tracks),
    )


def _parse_clip(text: str, song: Song) -> ClipLock:
    wanted = text.strip()
    clips = tuple(song.clips())
    found = [one for one in clips if one[1].id == wanted]
    found = found or [one for one in clips if one[1].name.casefold() == wanted.casefold()]
    if len(found) == 1:
        return ClipLock(found[0][1].id)
    listed = ", ".join(f"{clip.name} of {track.name} = {clip.id}" for track, clip in (found or clips)[:_LISTED])
    if found:
        raise SongError(
            msg("the name {wanted!r} fits {count} clips", wanted=wanted[:40], count=len(found)),
            fix=msg("use an id: {listed}", listed=listed),
        )
    raise SongError(
        msg("there is no clip called {wanted!r} to lock", wanted=wanted[:40]),
        why=msg("the song has: {listed}", listed=listed or "none"),
    )


def _parse_aspect(text: str) -> SongLock:
    for aspect in ASPECTS:
        if text[5:].strip().casefold() == aspect:
            return SongLock(aspect)
    known = ", ".join(f"song:{aspect}" for aspect in ASPECTS)
    raise SongError(
        msg("{text!r} is nothing of a song that can be locked", text=text[:40]),
        fix=msg("write one of {known}", known=known),
    )


def _parse_bars(text: str) -> BarsLock:
    first, _, last = text[5:].partition("-")
    if not _BAR.fullmatch(first) or not _BAR.fullmatch(last or first):
        raise SongError(msg("{text!r} is not a bar range", text=text[:40]), fix=msg("write it like bars:9-16"))
    lock = BarsLock(int(first), int(last or first))
    if lock.first < 1 or lock.last < lock.first:
        raise SongError(
            msg("{text!r} is no bar range", text=text), why=msg("bars count from 1"),
            fix=msg("write it like bars:9-16"),
        )
    return lock


def _track_part(track_id: TrackId, song: Song) -> Any:
    return [track for track in song.tracks if track.id == track_id]


def _clip_part(clip_id: ClipId, song: Song) -> list[tuple[TrackId, Clip]]:
    return [(track.id, clip) for track, clip in song.clips() if clip.id == clip_id]


def _aspect_part(aspect: Aspect, song: Song) -> Any:
    match aspect:
        case "tempo":
            return song.tempos
        case "key":
            return song.key
        case "chords":
            return song.chords
    assert_never(aspect)


def _changed_clips(before: Song, after: Song) -> frozenset[ClipId]:
    """The clips that are others, elsewhere or gone; tracks that are the same object are not looked into."""
    old, new = _clips_beside(before, after), _clips_beside(after, before)
    return frozenset(one for one in old.keys() | new.keys() if old.get(one) != new.get(one))


def _clips_beside(song: Song, other: Song) -> dict[ClipId, tuple[TrackId, Clip]]:
    same = {id(track) for track in other.tracks}
    return {clip.id: (track.id, clip) for track in song.tracks if id(track) not in same for clip in track.clips}


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


def _kept(lock: TrackLock | BarsLock | SongLock, before: Song, after: Song) -> bool:
    """Whether the digests agree; parts that are the same object are not looked into."""
    if isinstance(lock, TrackLock):
        return bool(_track_part(lock.track_id, before) == _track_part(lock.track_id, after))
    if isinstance(lock, SongLock):
        return bool(_aspect_part(lock.aspect, before) == _aspect_part(lock.aspect, after))
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
