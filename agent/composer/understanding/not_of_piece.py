"""Figures and letters of a request that say nothing of the piece as a whole: how often something comes, the tuning of
a string, the degree of a chord."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OFTEN, _APART = frozenset({"every", "each"}), frozenset({"apart", "each"})
_TUNING, _NOTE = "drop", re.compile("[A-G][#b♯♭]?|[a-g][#♯♭]|[b-g]")
_DEGREES = frozenset("1234567")


def recurs(tokens: Sequence[str], at: int, length: int) -> bool:
    """Whether a duration says how often something comes: "every 30 seconds", "5 seconds apart"."""
    end = at + length
    return (at > 0 and tokens[at - 1] in _OFTEN) or (end < len(tokens) and tokens[end] in _APART)


def tuned_to(spoken: Sequence[str], at: int) -> str | None:
    """The note at a token to which "drop" right before it tunes the lowest string: "drop a#"; None for all else."""
    tuned = at > 0 and spoken[at - 1].casefold() == _TUNING and _NOTE.fullmatch(spoken[at])
    return spoken[at][0].upper() + spoken[at][1:] if tuned else None


def is_degree(tokens: Sequence[str], at: int) -> bool:
    """Whether a mode at a token is that of a chord by its degree: "6 minor"."""
    return at > 0 and tokens[at - 1] in _DEGREES
