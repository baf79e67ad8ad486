"""Fewer tempo changes that keep every event where it sounds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.song.time import PPQ, TempoChange, TempoMap

FARTHEST = 0.005
"""Seconds by which an event may sound earlier or later."""
_FASTEST, _SLOWEST = 60 / (999 * PPQ), 60 / PPQ
"""Seconds a tick at the fastest and the slowest tempo of a song."""


def thinned(changes: Sequence[TempoChange]) -> tuple[TempoChange, ...]:
    """As few of the changes, with tempos between theirs, as leave no event more than `FARTHEST` off.

    One tempo holds for as long as there is one that passes every change within that distance (the swing filter of
    Elmeleegy et al., 2009). Distances do not add up: each is one from the file's own time. The last tempo is kept.
    """
    true = TempoMap(changes)
    kept: list[TempoChange] = []
    start, seconds = changes[0].at, 0.0
    least, most = _FASTEST, _SLOWEST
    for before, change in pairwise(changes):
        wanted, length = true.seconds(change.at) - seconds, change.at - start
        low, high = max(least, (wanted - FARTHEST) / length), min(most, (wanted + FARTHEST) / length)
        if low > high:
            slope = _between(least, (true.seconds(before.at) - seconds) / (before.at - start), most)
            kept.append(TempoChange(start, 60 / (slope * PPQ)))
            start, seconds = before.at, seconds + slope * (before.at - start)
            wanted, length = true.seconds(change.at) - seconds, change.at - start
            low, high = max(_FASTEST, (wanted - FARTHEST) / length), min(_SLOWEST, (wanted + FARTHEST) / length)
        least, most = low, high
    last = changes[-1]
    if last.at > start:
        slope = _between(least, (true.seconds(last.at) - seconds) / (last.at - start), most)
        kept.append(TempoChange(start, 60 / (slope * PPQ)))
    return (*kept, last)


def _between(low: float, value: float, high: float) -> float:
    return max(low, min(value, high))
