"""Locks as a person works with them: what is chosen is locked or let go, and every lock has its words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from agent.song.clip import Clip
from agent.song.errors import SongError
from agent.song.ids import ClipId, TrackId
from agent.song.locks import ASPECTS, BarsLock, ClipLock, Lock, SongLock, TrackLock, standing
from agent.song.song import Song
from app.i18n import tr, trn

_NAMED = 60
_BARS = re.compile(r"(?:bars? ?)?:? ?(\d{1,5}) ?(?:(?:[-–—]|to) ?(\d{1,5}))?")
_LISTED = 4
"""Number of locks that a sentence names."""


class LockLine(Struct, frozen=True):
    """A lock in a list, in words; `stands` is False if its track or clip is not in the song now."""

    lock: Lock
    words: str
    stands: bool


def clip_locks(clips: Collection[ClipId], song: Song) -> tuple[Lock, ...]:
    """Locks for those of the clips that are in the song, in its order; ghosts cannot be locked."""
    return tuple(ClipLock(clip.id) for _, clip in song.clips() if clip.id in clips)


def bars_lock(bars: tuple[int, int] | None) -> tuple[Lock, ...]:
    """The lock for a range of bars (inclusive); empty for None."""
    return () if bars is None else (BarsLock(max(1, min(bars)), max(1, *bars)),)


def lock_said(words: str, song: Song) -> Lock:
    """The lock that a person names: a track or a clip by its name, or bars: "Bass", "bars 9-16", "9–16", "bar 4".
    Raises `SongError` if the song has nothing of that name, or more than one."""
    wanted = " ".join(words.split()).casefold()
    bare = wanted.removeprefix("track ").removeprefix("clip ")
    parts: list[tuple[str, Lock]] = [(track.name, TrackLock(track.id)) for track in song.tracks]
    parts += [(clip.name, ClipLock(clip.id)) for _, clip in song.clips()]
    for name in (wanted, bare):
        found = [lock for said, lock in parts if " ".join(said.split()).casefold() == name]
        tracks = [lock for lock in found if isinstance(lock, TrackLock)]
        if len(tracks or found) == 1:
            return (tracks or found)[0]
        if found:
            raise SongError(
                tr("{count} parts of the song are called “{name}”", count=len(tracks or found), name=_short(words)),
                fix=tr("select the one that you mean, and write the command alone"),
            )
    bars = _BARS.fullmatch(wanted)
    if bars is None:
        raise SongError(
            tr("there is nothing called “{name}” to lock", name=_short(words)),
            why=tr("the song has the tracks {names}", names=_short(", ".join(track.name for track in song.tracks))),
            fix=tr("name a track or a clip, or bars such as 9–16"),
        )
    return bars_lock((int(bars[1]), int(bars[2] or bars[1])))[0]


def is_locked(locks: Iterable[Lock], track_id: TrackId) -> bool:
    """Whether a whole track is locked."""
    return any(isinstance(lock, TrackLock) and lock.track_id == track_id for lock in locks)


def clip_is_locked(locks: Iterable[Lock], song: Song, track_id: TrackId, clip: Clip) -> bool:
    """Whether a clip is locked, or its track, or a range of bars that it reaches into."""
    for lock in locks:
        match lock:
            case TrackLock(track_id=locked):
                if locked == track_id:
                    return True
            case ClipLock(clip_id=locked_clip):
                if locked_clip == clip.id:
                    return True
            case BarsLock(first=first, last=last):
                start, end = song.bar_map.span(first, last)
                if clip.start < end and clip.end > start:
                    return True
    return False


def locked_clips(locks: Iterable[Lock], song: Song) -> frozenset[ClipId]:
    """All clips for which `clip_is_locked` is true."""
    locks = tuple(locks)
    tracks = {lock.track_id for lock in locks if isinstance(lock, TrackLock)}
    clips = {lock.clip_id for lock in locks if isinstance(lock, ClipLock)}
    spans = [song.bar_map.span(lock.first, lock.last) for lock in locks if isinstance(lock, BarsLock)]
    if not locks:
        return frozenset()
    return frozenset(
        clip.id for track, clip in song.clips()
        if track.id in tracks or clip.id in clips
        or any(clip.start < end and clip.end > start for start, end in spans)
    )


def all_held(held: Collection[Lock], wanted: Collection[Lock]) -> bool:
    """Whether all `wanted` locks are among `held`, and there are any."""
    return bool(wanted) and all(lock in held for lock in wanted)


def toggled(held: Sequence[Lock], wanted: Sequence[Lock]) -> tuple[Lock, ...]:
    """The locks `held` with `wanted` added, or removed if all of them were there."""
    if all_held(held, wanted):
        return tuple(lock for lock in held if lock not in wanted)
    return tuple(dict.fromkeys((*held, *wanted)))


def lock_lines(locks: Iterable[Lock], song: Song) -> tuple[LockLine, ...]:
    """Every lock in words: tracks in the song's order, then clips, then bars; locks on nothing that exists last."""
    kept = tuple(locks)
    standing_now = frozenset(standing(kept, song))
    tracks = {str(track.id): place for place, track in enumerate(song.tracks)}
    clips = {str(clip.id): place for place, (_, clip) in enumerate(song.clips())}

    def place(lock: Lock) -> tuple[bool, int, int]:
        match lock:
            case TrackLock(track_id):
                return lock not in standing_now, 0, tracks.get(track_id, 0)
            case ClipLock(clip_id):
                return lock not in standing_now, 1, clips.get(clip_id, 0)
            case BarsLock(first):
                return lock not in standing_now, 2, first
            case SongLock(aspect):
                return lock not in standing_now, 3, ASPECTS.index(aspect)

    names = _names(song)
    return tuple(
        LockLine(lock, _words(lock, names), lock in standing_now) for lock in sorted(kept, key=place)
    )


def kept_words(locks: Sequence[Lock], song: Song) -> str:
    """ "3 locks kept: Track Bass, Clip Chords of Pad, Bars 9–16"; empty without locks."""
    if not locks:
        return ""
    names = _names(song)
    named = [_words(lock, names) for lock in locks[:_LISTED]]
    if len(locks) > _LISTED:
        named.append(trn("{count} more", "{count} more", len(locks) - _LISTED))
    return trn("{count} lock kept: {locks}", "{count} locks kept: {locks}", len(locks), locks=tr(", ").join(named))


def _names(song: Song) -> dict[str, tuple[str, str]]:
    """What tracks and clips are called, and the track of a clip."""
    found = {str(track.id): (_short(track.name), "") for track in song.tracks}
    return found | {str(clip.id): (_short(clip.name), _short(track.name)) for track, clip in song.clips()}


def _words(lock: Lock, names: dict[str, tuple[str, str]]) -> str:
    match lock:
        case TrackLock(track_id):
            found = names.get(track_id)
            return tr("Track {name}", name=found[0]) if found else tr("A track that is not in the song now")
        case ClipLock(clip_id):
            found = names.get(clip_id)
            if found is None:
                return tr("A clip that is not in the song now")
            return tr("Clip {name} of {track}", name=found[0], track=found[1])
        case BarsLock(first, last):
            if first == last:
                return tr("Bar {bar}", bar=first)
            return tr("Bars {first}–{last}", first=first, last=last)
        case SongLock(aspect):
            return tr("The tempo") if aspect == "tempo" else tr("The key")


def _short(name: str) -> str:
    """A name within a sentence: on one line, and not longer than one."""
    line = " ".join(name.split())
    return line if len(line) <= _NAMED else f"{line[:_NAMED - 1]}…"
