"""The guard: which tracks, clips and bars no row may touch, from locks and from "keep"."""

from __future__ import annotations

from collections.abc import Iterable

from agent.song.clip import Clip
from agent.song.ids import TrackId
from agent.song.locks import BarsLock, ClipLock, Lock, TrackLock
from agent.song.song import Song


class Guard:
    """Which tracks, clips and bars must not change, by their locks and by tracks that the request keeps. `spans` are
    the locked bars in ticks, the end excluded."""

    def __init__(self, song: Song, locks: tuple[Lock, ...], kept: Iterable[TrackId] = ()) -> None:
        locked = frozenset(lock.track_id for lock in locks if isinstance(lock, TrackLock))
        self.going_along = frozenset(kept) - locked
        """Tracks that the request keeps: their notes are not rewritten, but they move when bars are moved."""
        self.tracks = locked | self.going_along
        self.clips = frozenset(lock.clip_id for lock in locks if isinstance(lock, ClipLock))
        spans = sorted(song.bar_map.span(lock.first, lock.last) for lock in locks if isinstance(lock, BarsLock))
        self.spans: tuple[tuple[int, int], ...] = tuple((int(start), int(end)) for start, end in spans)

    def closed(self, at: int) -> bool:
        """Whether a tick lies in locked bars, where no note may begin."""
        return any(start <= at < end for start, end in self.spans)

    def holds(self, clip: Clip) -> bool:
        """Whether a clip must stay: it is locked, or it or one of its notes begins in locked bars."""
        starts = (int(clip.start), *(clip.start + note.start for note in clip.notes)) if self.spans else ()
        return clip.id in self.clips or any(self.closed(start) for start in starts)

    def open_spans(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """The parts of the span `start` to `end` (ticks) outside of locked bars; empty if all is locked."""
        result: list[tuple[int, int]] = []
        at = start
        for low, high in self.spans:
            if low < end and high > at:
                if low > at:
                    result.append((at, low))
                at = max(at, high)
        if at < end:
            result.append((at, end))
        return tuple(result)
