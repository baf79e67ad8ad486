"""Times of repaints, and how they stand beside those of another way."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

TIMES = 30
HIT = "hit test, µs"

Figures = dict[str, list[float]]
"""Milliseconds by what was done; of `HIT` microseconds."""


def timed(change: Callable[[int], object], paint: Callable[[], object], times: int = TIMES) -> list[float]:
    """Milliseconds of repaints, each after a change."""
    found = []
    for turn in range(times):
        change(turn)
        began = perf_counter()
        paint()
        found.append((perf_counter() - began) * 1000)
    return found


def report(name: str, figures: Figures, ours: Figures, view: str) -> None:
    """One line for each figure, with how much ahead our view is."""
    print(f"\n{name}")
    for what, times in figures.items():
        ratio = ""
        if figures is not ours and what in ours:
            ratio = f"   {view} {median(times) / median(ours[what]):.1f} x ahead"
        unit = "  " if what == HIT else "ms"
        print(f"  {what:22} median {median(times):7.2f} {unit}   least {min(times):7.2f} {unit}{ratio}")
