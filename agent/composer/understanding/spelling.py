"""Spelling: what is no word of the language is read as the nearest known word, where it is very near."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from agent.composer.understanding.dictionary import dictionary
from agent.composer.understanding.lexicon import Lexicon

_NEAR = 0.85
_SHORTEST = 5
_MOST = 40
"""Unknown words that are looked up in one request."""


def respelled(spoken: Sequence[str], lexicon: Lexicon) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The tokens with slips of the hand set right, and each of them as (written, read)."""
    known = lexicon.known
    strange = [word for word in dict.fromkeys(token.casefold() for token in spoken) if _strange(word, known)]
    existing = dictionary(lexicon.words.dictionary) if strange else frozenset()
    read = {
        word: near for word in [one for one in strange if one not in existing][:_MOST]
        if (near := _nearest(word, known)) is not None and not _plural(word, near, lexicon)
    }
    tokens = [read.get(token.casefold(), token) for token in spoken]
    return tokens, tuple(read.items())


def _strange(word: str, known: Collection[str]) -> bool:
    return len(word) >= _SHORTEST and word.isalpha() and word not in known


def _plural(word: str, near: str, lexicon: Lexicon) -> bool:
    """Whether it is only the plural of a word that names no part: another word, and no slip."""
    return word == near + "s" and lexicon.wish_at([near], 0) is None


def _nearest(word: str, known: Collection[str]) -> str | None:
    """The known word that is meant: two letters swapped, else one letter too many, too few or wrong."""
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    for other in swapped:
        if other in known:
            return other
    near = sorted(other for other in known if other[0] == word[0] and abs(len(other) - len(word)) <= 1)
    return next(iter(get_close_matches(word, near, n=1, cutoff=_NEAR)), None)
