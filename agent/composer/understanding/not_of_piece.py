"""Figures and words of a request that say nothing of the piece as a whole: how often something comes, the tuning of
a string, the degree of a chord, somebody's house."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.senses import Sense

_OFTEN, _APART = frozenset({"every", "each"}), frozenset({"apart", "each"})
_TUNING, _NOTE = "drop", re.compile("[A-G][#b♯♭]?|[a-g][#♯♭]|[b-g]")
_DEGREES = frozenset("1234567")
_KINDS: tuple[Sense, ...] = ("style", "genre", "thing", "instrument")


def recurs(tokens: Sequence[str], at: int, length: int) -> bool:
    """Whether a duration of `length` tokens says how often something happens: "every 30 seconds", "5 seconds apart"."""
    end = at + length
    return (at > 0 and tokens[at - 1] in _OFTEN) or (end < len(tokens) and tokens[end] in _APART)


def tuned_to(spoken: Sequence[str], at: int) -> str | None:
    """The note of a tuning after "drop" at a token ("drop a#" gives "A#"); None for anything else."""
    tuned = at > 0 and spoken[at - 1].casefold() == _TUNING and _NOTE.fullmatch(spoken[at])
    return spoken[at][0].upper() + spoken[at][1:] if tuned else None


def is_degree(tokens: Sequence[str], at: int) -> bool:
    """Whether a mode at a token belongs to a scale degree: "6 minor"."""
    return at > 0 and tokens[at - 1] in _DEGREES


def is_thing(tokens: Sequence[str], at: int, length: int, lexicon: Lexicon) -> bool:
    """Whether a word that is also a style (`length` tokens at token `at`) means an object here: "grandma's house", "the
    chess club"."""
    words = lexicon.words.figures
    if words is None:
        return False
    if length == 1 and tokens[at] in words.needing_work:
        return not _works_behind(tokens, at, lexicon)
    if tokens[at] not in words.things_too or length > 1 or at == 0:
        return False
    before, behind = tokens[at - 1], tokens[at + 1 : at + 2]
    owner = before.endswith("'s") or before in words.owners
    return owner and not (behind and behind[0] in lexicon.words.goals.works)


def _works_behind(tokens: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether a word says what kind of music: "club music", "dance pop", or alone between two signs."""
    before, behind = tokens[at - 1 : at] if at else [], tokens[at + 1 : at + 2]
    if not behind or not behind[0].isalpha():
        return not before or not before[0].isalpha()
    named = any(lexicon.sense(tokens, at + 1, sense) for sense in _KINDS)
    return named or behind[0] in lexicon.words.goals.works
