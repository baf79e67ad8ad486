"""How the time of a function grows with its text, on a machine that may be busy."""

from __future__ import annotations

import time
from collections.abc import Callable

_TINY = 0.2
"""Seconds of the processor that tell nothing of growth."""
_CLEARLY = 0.5
"""Seconds that no busy machine explains."""
_STEPS = ((1_000, 10_000), (4_000, 40_000), (20_000, 200_000), (100_000, 1_000_000))
"""The small steps first: what is not linear there would not come to an end with the large one. None is so far from
the one before it that a quadratic expression, just too quick to be told there, takes more than seconds in it."""


def grows_in_proportion(work: Callable[[str], object], text_of: Callable[[int], str]) -> str:
    """Empty where a text ten times as long takes at most 15 times as long, best of five; else what it took."""
    for short, long in _STEPS:
        brief, whole = text_of(short), text_of(long)
        least, most = seconds_of(work, brief), seconds_of(work, whole)
        for _ in range(4):
            if most <= max(_TINY, 15 * least) or most > max(_CLEARLY, 40 * least):
                break
            least, most = min(least, seconds_of(work, brief)), min(most, seconds_of(work, whole))
        if most > max(_TINY, 15 * least):
            return f"{short:,} signs: {least:.4f} s, {long:,}: {most:.4f} s, with {brief[:40]!r}...{brief[-5:]!r}"
    return ""


def seconds_of(work: Callable[[str], object], text: str) -> float:
    """What the work takes of the processor."""
    before = time.process_time()
    work(text)
    return time.process_time() - before
