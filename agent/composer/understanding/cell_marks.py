"""Cells: riffs and the like that a new piece plays so many times, as stages: "4 bar riff x2, then a second riff x2"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.mark_joining import StageMark
from agent.composer.understanding.numbers import counted, number_at

_TIMES = re.compile(r"x(\d{1,2})")
_MOST = 16
"""Most times that a cell is played."""
_FRESH = frozenset(("second", "another", "new", "different", "other", "third", "next"))


def cell_mark(tokens: Sequence[str], at: int, found: Sequence[StageMark], lexicon: Lexicon) -> StageMark | None:
    """The stage mark of a repeated cell at a token ("4 bar riff x2"), with its length and repeats; None for none.
    Without a length of its own it is as long as the cell before.

    `found` are the marks before it.
    """
    bars = counted(tokens, at, lexicon, ("bars",))
    noun = bars[0] if bars is not None else at
    fresh = bars is not None
    if bars is None:
        while noun < len(tokens) and tokens[noun] in (*lexicon.words.places.articles, *_FRESH):
            fresh = fresh or tokens[noun] in _FRESH
            noun += 1
    if noun == at or noun >= len(tokens) or tokens[noun] not in lexicon.words.lengths.cells:
        return None
    times = _times(tokens, noun + 1, lexicon)
    before = next((one for one in reversed(found) if one.cell), None)
    each = int(bars[1]) if bars is not None else before.cell if before is not None else 0
    if times is None or not each:
        return None
    name = tokens[noun].removesuffix("s").capitalize()
    # "the riff again" is the first
    number = 1 + sum(one.cell > 0 for one in found) if fresh else 1
    named = name if number == 1 else f"{name} {number}"
    return StageMark("section", at, times[0], named, bars=each * times[1], cell=each)


def _times(tokens: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, int] | None:
    """Where is said how often, and how often: "x2", "x 2", "twice", "four times"."""
    if at >= len(tokens):
        return None
    joined = _TIMES.fullmatch(tokens[at])
    if joined is not None:
        return at + 1, int(joined[1])
    first = at + (tokens[at] in ("x", "\N{MULTIPLICATION SIGN}", "played", "repeated"))
    if first >= len(tokens):
        return None
    again = lexicon.sense(tokens, first, "repeats")
    if again is not None:
        return first + again[0], int(again[1])
    number = number_at(tokens, first, lexicon) if tokens[at] in ("x", "\N{MULTIPLICATION SIGN}") else None
    whole = number is not None and number[1] == int(number[1]) and 1 <= number[1] <= _MOST
    return (first + number[0], int(number[1])) if number is not None and whole else None
