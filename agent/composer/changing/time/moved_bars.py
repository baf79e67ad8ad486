"""Moved bars: where a stretch of the song before lies in the song after, however its time was moved."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.changing.time.moves import TimeMove
from agent.song.song import Song

Bars = tuple[int, int]
"""First and last bar, from 1, both included."""


class MovedBars(Struct, frozen=True):
    """Maps bars of the song `before` to bars of the song `after`; `moves` are the changes of time between them, in
    order."""

    before: Song
    after: Song
    moves: Sequence[TimeMove]

    def of(self, bars: Bars) -> Bars | None:
        """Where these bars lie in the song after; None if they were removed or are not of the same length any more."""
        start, end = self.before.bar_map.span(*bars)
        begin, stop = int(start), int(end)
        for move in self.moves:
            begin, stop = move.placed(begin), move.placed(stop, closing=True)
        if stop - begin != end - start or begin >= self.after.end:
            return None
        there = self.after.bar_map
        first, last = there.bar_at(begin), there.bar_at(stop - 1)
        return (first, last) if there.span(first, last) == (begin, stop) else None
