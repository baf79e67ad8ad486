"""Spoken degrees: the steps of a key in words or bare figures, as in "one, four, five in G" or "a two five one"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import is_figure, number_at

_FEWEST = 3
_STEPS = 7
_BETWEEN = frozenset({",", "and", "then", "–", "-", "to"})
_SPLIT = re.compile(r"[-–—,./]")
_KNOWN = ((2, 5, 1), (1, 6, 2, 5), (1, 5, 6, 4), (1, 6, 4, 5), (6, 4, 1, 5), (1, 4, 5))
"""What in words needs no key to be meant."""


class Degrees(Struct, frozen=True):
    """Scale degrees (`steps`, from 1) named by the tokens up to `end` (not included); `sure` if a key follows them or
    they are a known progression in words."""

    steps: tuple[int, ...]
    end: int
    sure: bool

    @property
    def text(self) -> str:
        """The degrees as a chart writes them."""
        return " ".join(map(str, self.steps))


def degrees_at(tokens: Sequence[str], at: int, lexicon: Lexicon, in_key: Callable[[int], bool]) -> Degrees | None:
    """The scale degrees that begin at a token ("a two five one"); None for none.

    `in_key` says whether a key is named at a token. Mere counting ("one two three four") is none.
    """
    steps: list[int] = []
    here, worded = at, True
    while here < len(tokens):
        following = here + (bool(steps) and tokens[here] in _BETWEEN)
        own = _steps(tokens, following, lexicon)
        if not own:
            break
        worded = worded and not any(is_figure(piece) for piece in _SPLIT.split(tokens[following]))
        steps += own
        here = following + 1
    on = all(after == before + 1 for before, after in pairwise(steps))
    if len(steps) < _FEWEST or on or _counts(tokens, at, lexicon):
        return None
    keyed = here + 1 < len(tokens) and tokens[here] == "in" and in_key(here + 1)
    return Degrees(tuple(steps), here, keyed or (worded and tuple(steps) in _KNOWN))


def _counts(tokens: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether a word before the figures says that they number something else: "bars one, four and five"."""
    places = lexicon.words.places
    return at > 0 and tokens[at - 1] in (*places.bar, *places.beat)


def _steps(tokens: Sequence[str], at: int, lexicon: Lexicon) -> list[int]:
    """The degrees of one token, several where it is joined by signs: two-five-one; none where it is no degree."""
    if at >= len(tokens):
        return []
    found = [number_at([piece], 0, lexicon) for piece in _SPLIT.split(tokens[at])]
    values = [int(one[1]) for one in found if one is not None and one[1] == int(one[1]) and 1 <= one[1] <= _STEPS]
    return values if len(values) == len(found) else []
