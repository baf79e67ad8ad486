"""Seeded chance: every choice of the composer comes from here, so that a seed fixes a plan to the byte."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """Seeded random numbers for one purpose; only `random()` is used, which gives the same numbers on all Python
    versions."""

    def __init__(self, seed: int, purpose: str) -> None:
        self._seed = seed
        self._purpose = purpose
        self._random = Random(f"{seed}:{purpose}")
        self.share = self._random.random
        """A random number from 0 up to, but not including, 1."""

    def of(self, purpose: str) -> Dice:
        """An independent stream for a purpose within this one; drawing from it does not advance this one."""
        return Dice(self._seed, f"{self._purpose}/{purpose}")

    def between(self, low: float, high: float) -> float:
        """A random number from `low` up to `high`."""
        return low + (high - low) * self._random.random()

    def whole(self, low: int, high: int) -> int:
        """A random integer from `low` to `high`, both included."""
        return low + int(self._random.random() * (high - low + 1))

    def pick(self, options: Sequence[_T]) -> _T:
        """A random one of the options, which must not be empty."""
        return options[int(self._random.random() * len(options))]

    def chance(self, probability: float) -> bool:
        """True with this probability (0 to 1)."""
        return self._random.random() < probability
