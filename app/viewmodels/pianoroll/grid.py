"""The grid of the piano roll: which places notes keep to, and which lines are drawn, in ticks and without a window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from agent.song.time import PPQ, BarMap, Ticks

Snap = Literal["1/4", "1/8", "1/16", "1/32", "1/4T", "1/8T", "1/16T", "off"]
"""A note length as grid; T is a triplet, two thirds of the length."""
SNAPS: Final[tuple[Snap, ...]] = ("1/4", "1/8", "1/16", "1/32", "1/4T", "1/8T", "1/16T", "off")
Weight = Literal["step", "beat", "bar"]

FREE_STEP: Final = Ticks(PPQ // 4)
"""Ticks by which keys move, and the length of a new note, while the grid is off."""
LEAST_GAP: Final = 7.0
"""Least pixels between two grid lines."""

_TICKS: Final[dict[Snap, int]] = {
    "1/4": PPQ, "1/8": PPQ // 2, "1/16": PPQ // 4, "1/32": PPQ // 8,
    "1/4T": PPQ * 2 // 3, "1/8T": PPQ // 3, "1/16T": PPQ // 6, "off": 0,
}


class GridLine(Struct, frozen=True):
    """A grid line at a tick of the song; `bar` is the number of the bar that begins there."""

    at: Ticks
    weight: Weight
    bar: int | None = None


def step_of(snap: Snap) -> Ticks:
    """Ticks of a grid step; 0 if the grid is off."""
    return Ticks(_TICKS[snap])


def key_step(snap: Snap) -> Ticks:
    """Ticks by which keys move, and the length of a new note."""
    return Ticks(_TICKS[snap] or FREE_STEP)


def snapped(bars: BarMap, at: float, step: int) -> Ticks:
    """The nearest grid position, with a grid that restarts in each bar; the nearest tick if `step` is 0."""
    here = max(0, round(at))
    if not step:
        return Ticks(here)
    start, following = _bar(bars, here)
    return Ticks(min(following, start + (here - start + step // 2) // step * step))


def floored(bars: BarMap, at: float, step: int) -> Ticks:
    """The last grid position at or before a tick."""
    here = max(0, int(at))
    if not step:
        return Ticks(here)
    start, _ = _bar(bars, here)
    return Ticks(start + (here - start) // step * step)


def stepped(bars: BarMap, at: int, steps: int, step: int) -> Ticks:
    """The position so many grid lines from a tick (negative: before), at least 0."""
    here = at
    for _ in range(abs(steps)):
        if steps > 0:
            here = min(floored(bars, here, step) + step, _bar(bars, here)[1])
        elif here > 0:
            here = floored(bars, here - 1, step)
    return Ticks(here)


def lines_between(bars: BarMap, start: int, end: int, step: int, per_beat: float) -> Iterator[GridLine]:
    """Grid lines between two ticks of the song: bars, beats and steps, each kind only if they are far enough apart.
    `per_beat` is pixels per quarter note."""
    bar = bars.bar_at(max(0, start))
    while (here := bars.start_of(bar)) <= end:
        meter = bars.meter_at(here)
        width = meter.bar_length / PPQ * per_beat
        every = 1
        while width * every < LEAST_GAP:
            every *= 2
        if (bar - 1) % every == 0:
            yield GridLine(here, "bar", bar)
        yield from _within(here, bars.start_of(bar + 1), PPQ * 4 // meter.unit, step, per_beat, start, end)
        bar += 1


def _within(
    here: int, following: int, beat: int, step: int, per_beat: float, start: int, end: int
) -> Iterator[GridLine]:
    beats = beat / PPQ * per_beat >= LEAST_GAP
    while step and step / PPQ * per_beat < LEAST_GAP:
        step *= 2
    places = set(range(here + beat, following, beat)) if beats else set()
    finer = set(range(here + step, following, step)) - places if beats and step and step < beat * 2 else set()
    for at in sorted(places | finer):
        if start <= at <= end:
            yield GridLine(Ticks(at), "beat" if at in places else "step")


def _bar(bars: BarMap, at: int) -> tuple[int, int]:
    bar = bars.bar_at(at)
    return bars.start_of(bar), bars.start_of(bar + 1)
