"""Values that are made once for the same objects, such as the words that ship: made ready, they serve every request."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import TypeVar, TypeVarTuple

Of = TypeVarTuple("Of")
T = TypeVar("T")
_MOST = 8


def once_for_same(make: Callable[[*Of], T]) -> Callable[[*Of], T]:
    """A decorator that caches the last eight results of the pure function `make` by the identity of its arguments,
    which must not be mutated. Equal arguments that are different objects have results of their own."""
    known: tuple[tuple[tuple[*Of], T], ...] = ()

    @wraps(make)
    def made(*objects: *Of) -> T:
        nonlocal known
        found = next((value for of, value in known if _are_same(of, objects)), None)
        if found is None:
            found = make(*objects)
            known = ((objects, found), *known[: _MOST - 1])
        return found

    return made


def _are_same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    return all(map(is_, some, others))
