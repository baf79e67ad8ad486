"""A fence: where alone a plan may change the song. What lies outside of it is read, and stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from agent.message import msg
from agent.song.errors import SongError
from agent.song.ids import ClipId, TrackId
from agent.song.locks import BarNumber, BarsLock, ClipLock, Lock, SongLock, TrackLock, parse_lock
from agent.song.song import Song


class Fence(Struct, frozen=True, forbid_unknown_fields=True):
    """The tracks and clips that may change, and the bars (inclusive, from 1) within which they may; everything else is
    outside of the fence, also tempo, key, chords, meter, sections and master.

    Without tracks and clips every track may change within the bars. Without bars a track may change as a whole, with
    its mix and effects, and a clip in its notes, name, length and place. Only with `allows_new_tracks` may a track be
    added, with clips and automation within the bars.
    """

    tracks: tuple[TrackId, ...] = ()
    clips: tuple[ClipId, ...] = ()
    bars: tuple[BarNumber, BarNumber] | None = None
    allows_new_tracks: bool = False

    @property
    def names_parts(self) -> bool:
        """Whether the fence is limited to tracks or clips, and not only to bars."""
        return bool(self.tracks or self.clips)


def parse_fence(texts: Iterable[str], song: Song) -> Fence | None:
    """The fence that a person writes, one text for each part: a track, a clip or bars, in the forms of `parse_lock`
    ("Bass", "bars:9-16"). None without texts. Raises `SongError` as `parse_lock`, and for a second range of bars."""
    parts = [parse_lock(text, song) for text in texts]
    bars = [part for part in parts if isinstance(part, BarsLock)]
    if any(isinstance(part, SongLock) for part in parts):
        raise SongError(
            msg("a plan is limited to tracks, clips or bars"), why=msg("tempo, key and chords are the whole song's"),
            fix=msg("name what alone may change, such as bars:9-16"),
        )
    if len(bars) > 1:
        raise SongError(
            msg("a plan is limited to one range of bars"), why=msg("{count} were given", count=len(bars)),
            fix=msg("plan twice"),
        )
    if not parts:
        return None
    return Fence(
        tuple(dict.fromkeys(part.track_id for part in parts if isinstance(part, TrackLock))),
        tuple(dict.fromkeys(part.clip_id for part in parts if isinstance(part, ClipLock))),
        (bars[0].first, bars[0].last) if bars else None,
    )


def describe_fence(fence: Fence, song: Song) -> str:
    """The fence in words, for a person: "Bass, clip Verse of Lead, bars 9-12"."""
    names = [track.name for track in song.tracks if track.id in fence.tracks]
    names += [f"clip {clip.name} of {track.name}" for track, clip in song.clips() if clip.id in fence.clips]
    if fence.bars is not None:
        first, last = fence.bars
        names.append(f"bar {first}" if first == last else f"bars {first}-{last}")
    if fence.allows_new_tracks:
        names.append("new tracks")
    return ", ".join(names) or "what the song has no more"


def missing_from(fence: Fence, song: Song) -> str:
    """The tracks, clips and bars of the fence that the song does not have, in words; empty if it has them all."""
    tracks, clips = {track.id for track in song.tracks}, {clip.id for _, clip in song.clips()}
    gone = [f"track {one!r}" for one in fence.tracks if one not in tracks]
    gone += [f"clip {one!r}" for one in fence.clips if one not in clips]
    return ", ".join(gone)


def locks_outside(fence: Fence | None, song: Song) -> tuple[Lock, ...]:
    """The fence's outside as locks, for tools that know only locks: the other tracks, the other clips and the bars
    before and after. Tempo, key, chords and master have no such lock here. Empty without a fence."""
    return () if fence is None else (*_parts_outside(fence, song), *_bars_outside(fence, song))


def _parts_outside(fence: Fence, song: Song) -> Iterator[Lock]:
    for track in song.tracks:
        if not fence.names_parts or track.id in fence.tracks:
            continue
        if any(clip.id in fence.clips for clip in track.clips):
            yield from (ClipLock(clip.id) for clip in track.clips if clip.id not in fence.clips)
        else:
            yield TrackLock(track.id)


def _bars_outside(fence: Fence, song: Song) -> Iterator[Lock]:
    if fence.bars is None:
        return
    first, last = fence.bars
    if first > 1:
        yield BarsLock(1, first - 1)
    if last < song.bars:
        yield BarsLock(last + 1, song.bars)
