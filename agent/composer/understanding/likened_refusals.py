"""Likened refusals: "nothing cheesy like xylophone or whistling" rules out what it names as an example."""

from __future__ import annotations

from collections.abc import Sequence

_NOTHING = frozenset(("nothing", "no"))
_LIKE = frozenset(("like", "e.g.", "eg"))
_FAR = 4
"""Most words between the refusal and its examples."""


def likened_refusal(tokens: Sequence[str], at: int) -> int:
    """The number of tokens from a refusal to its examples ("nothing cheesy like" xylophone); 0 for none."""
    if not 0 <= at < len(tokens) or tokens[at] not in _NOTHING:
        return 0
    for end in range(at + 1, min(at + 1 + _FAR, len(tokens))):
        if tokens[end] in _LIKE:
            return end + 1 - at
        if list(tokens[end : end + 2]) == ["such", "as"]:
            return end + 2 - at
        if not tokens[end].isalpha():
            return 0
    return 0
