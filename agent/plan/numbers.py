"""Telling at once that a list holds numbers alone, of which the notes of a plan are made."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from agent.plan.plan import Json

NUMBERS = frozenset((int, float, bool, type(None)))
"""Types of values that hold no text, so no reference and no secret either."""


def only_numbers(values: Sequence[Json]) -> bool:
    """Whether a list consists only of numbers, or only of objects with any names whose values are numbers. Takes
    microseconds where a look at each value takes milliseconds."""
    kinds = set(map(type, values))
    return NUMBERS.issuperset(
        set(map(type, chain.from_iterable(map(dict.values, values)))) if kinds == {dict} else kinds
    )
