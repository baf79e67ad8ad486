"""Musical time: ticks, beats, bars and seconds, and the maps between them.

A tick is 1/960 of a quarter note. A beat is a quarter note in every meter. Bars count from 1 and bar
ranges are inclusive. All conversions live here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import floor
from typing import Annotated, NewType

from msgspec import Meta, Struct

Ticks = NewType("Ticks", int)
PPQ = 960

UNIT_BEATS = "beats"
Position = Annotated[Ticks, Meta(ge=0, extra_json_schema={"unit": UNIT_BEATS})]
"""Ticks from an origin; tools and files write it in beats."""
Length = Annotated[Ticks, Meta(ge=1, extra_json_schema={"unit": UNIT_BEATS})]
"""A span of at least one tick; tools and files write it in beats."""
Bpm = Annotated[float, Meta(ge=1, le=999)]


def to_ticks(beats: float) -> Ticks:
    """Nearest tick of a time in beats: floor(beats × 960 + 0.5)."""
    return Ticks(floor(beats * PPQ + 0.5))


def to_beats(ticks: int) -> float:
    """Beats of a time in ticks."""
    return ticks / PPQ


class TempoChange(Struct, frozen=True, forbid_unknown_fields=True):
    """From `at` on, `bpm` quarter notes a minute (1-999)."""

    at: Position
    bpm: Bpm


class MeterChange(Struct, frozen=True, forbid_unknown_fields=True):
    """From tick `at` on, bars of `beats`/`unit` (3/4: 3 and 4); a change always begins a new bar."""

    at: Position
    beats: Annotated[int, Meta(ge=1, le=32)] = 4
    unit: Annotated[int, Meta(ge=1, le=32)] = 4

    @property
    def bar_length(self) -> Ticks:
        """Ticks in one full bar."""
        return Ticks(self.beats * PPQ * 4 // self.unit)


def distinct_tempos(changes: Sequence[TempoChange]) -> tuple[TempoChange, ...]:
    """The changes in order of time without those that repeat the tempo before them."""
    kept: list[TempoChange] = []
    for change in sorted(changes, key=lambda change: change.at):
        if not kept or kept[-1].bpm != change.bpm:
            kept.append(change)
    return tuple(kept)


def distinct_meters(changes: Sequence[MeterChange]) -> tuple[MeterChange, ...]:
    """The changes in order of time without those that repeat the meter before them."""
    kept: list[MeterChange] = []
    for change in sorted(changes, key=lambda change: change.at):
        if not kept or (kept[-1].beats, kept[-1].unit) != (change.beats, change.unit):
            kept.append(change)
    return tuple(kept)


class TempoMap:
    """Converts between ticks and seconds for a piecewise constant tempo."""

    def __init__(self, changes: Sequence[TempoChange]) -> None:
        self._changes = changes
        self._starts = [change.at for change in changes]
        self._seconds = [0.0]
        for now, following in pairwise(changes):
            self._seconds.append(self._seconds[-1] + (following.at - now.at) * 60 / (now.bpm * PPQ))

    def bpm(self, at: int) -> float:
        """Tempo in force at a tick."""
        return self._changes[self._index(at)].bpm

    def prevailing(self, start: int, end: int) -> float:
        """The median of the tempos from tick `start` to `end` (not included), weighted by how long each lasts. A pickup
        that is set a little slower, or a ritardando, does not change what a person calls the tempo."""
        points = [start, *(at for at in self._starts if start < at < end), max(end, start + 1)]
        lasts = sorted((self.bpm(begin), stop - begin) for begin, stop in pairwise(points))
        passed = accumulate(ticks / bpm for bpm, ticks in lasts)
        half = sum(ticks / bpm for bpm, ticks in lasts) / 2
        return next((bpm for (bpm, _), time in zip(lasts, passed, strict=True) if time >= half), lasts[-1][0])

    def seconds(self, at: int) -> float:
        """Seconds from the start of the song to a tick."""
        i = self._index(at)
        return self._seconds[i] + (at - self._starts[i]) * 60 / (self._changes[i].bpm * PPQ)

    def ticks(self, seconds: float) -> Ticks:
        """Tick nearest to a time in seconds."""
        i = max(0, bisect_right(self._seconds, seconds) - 1)
        return Ticks(round(self._starts[i] + (seconds - self._seconds[i]) * self._changes[i].bpm * PPQ / 60))

    def _index(self, at: int) -> int:
        return max(0, bisect_right(self._starts, at) - 1)


class BarMap:
    """Converts between ticks and bars for a sequence of meters; the first bar is 1."""

    def __init__(self, changes: Sequence[MeterChange]) -> None:
        self._changes = changes
        self._starts = [change.at for change in changes]
        self._lengths = [change.bar_length for change in changes]
        self._first_bars = [1]
        for now, following in pairwise(changes):
            bars = -(-(following.at - now.at) // now.bar_length)
            self._first_bars.append(self._first_bars[-1] + bars)

    def bar_at(self, at: int) -> int:
        """Number of the bar that holds a tick."""
        i = max(0, bisect_right(self._starts, at) - 1)
        return self._first_bars[i] + (at - self._starts[i]) // self._lengths[i]

    def start_of(self, bar: int) -> Ticks:
        """Tick at which a bar begins."""
        i = max(0, bisect_right(self._first_bars, bar) - 1)
        return Ticks(self._starts[i] + (bar - self._first_bars[i]) * self._changes[i].bar_length)

    def span(self, first: int, last: int) -> tuple[Ticks, Ticks]:
        """(start, end) in ticks: where bar `first` begins and where bar `last` ends."""
        return self.start_of(first), self.start_of(last + 1)

    def shape(self, first: int, last: int) -> tuple[tuple[int, int], ...]:
        """(start, length) pairs in ticks that tell where bars `first`-`last` lie: first the start and end of the whole
        range, then the start and bar length of each meter within it. Two songs with equal values have these bars in the
        same place."""
        start, end = self.span(first, last)
        within = [change for change in self._changes if start < change.at < end]
        return ((start, end), (start, self.meter_at(start).bar_length), *[(one.at, one.bar_length) for one in within])

    def count(self, length: int) -> int:
        """The number of bars that a song of `length` ticks touches; 0 for no length."""
        return 0 if length <= 0 else self.bar_at(length - 1)

    def meter_at(self, at: int) -> MeterChange:
        """Meter in force at a tick."""
        return self._changes[max(0, bisect_right(self._starts, at) - 1)]
