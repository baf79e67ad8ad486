"""Spelling: what is no word of the language is read as the nearest known word, where it is very near."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from agent.composer.understanding.dictionary import dictionary
from agent.composer.understanding.lexicon import Lexicon

_NEAR = 0.85
_SHORTEST = 5
_SHORT = 4
"""Letters of a word that is only mended where one of a part, a section or a quality is missing."""
_MOST = 40
"""Unknown words that are looked up in one request."""


def respelled(spoken: Sequence[str], lexicon: Lexicon) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The tokens `spoken` with misspellings corrected, and the corrections as (written, read)."""
    known = lexicon.known
    strange = [word for word in dict.fromkeys(token.casefold() for token in spoken) if _strange(word, known)]
    existing = dictionary(lexicon.words.dictionary) if strange else frozenset()
    read = {
        word: near for word in [one for one in strange if one not in existing][:_MOST]
        if (near := _nearest(word, lexicon)) is not None and not _plural(word, near, lexicon)
    }
    tokens = [read.get(token.casefold(), token) for token in spoken]
    return tokens, tuple(read.items())


def _strange(word: str, known: Collection[str]) -> bool:
    return len(word) >= _SHORT and word.isalpha() and word not in known


def _plural(word: str, near: str, lexicon: Lexicon) -> bool:
    """Whether it is only the plural of a word that names no part: another word, and no slip."""
    return word == near + "s" and lexicon.wish_at([near], 0) is None


def _nearest(word: str, lexicon: Lexicon) -> str | None:
    """The known word that is meant: two letters swapped, one that sounds alike, else one too many, too few or wrong."""
    known = lexicon.known
    if len(word) < _SHORTEST:
        longer = lexicon.known_like(word[0], (len(word) + 1,))
        return next((other for other in longer if _lacks_one(word, other, lexicon)), None)
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    for other in (*swapped, *_alike(word, lexicon)):
        if other in known:
            return other
    near = lexicon.known_like(word[0], (len(word) - 1, len(word), len(word) + 1))
    return next(iter(get_close_matches(word, near, n=1, cutoff=_NEAR)), None)


def _lacks_one(word: str, other: str, lexicon: Lexicon) -> bool:
    near = len(other) == len(word) + 1 and other[0] == word[0] and lexicon.names_something(other)
    return near and any(other[:at] + other[at + 1 :] == word for at in range(1, len(other)))


def _alike(word: str, lexicon: Lexicon) -> list[str]:
    """The word with one letter as another that sounds like it."""
    typing = lexicon.words.typing
    pairs = typing.alike if typing is not None else ()
    both = [(pair[0], pair[1]) for pair in (*pairs, *(pair[::-1] for pair in pairs))]
    return [
        word[:at] + other + word[at + 1 :] for at, letter in enumerate(word) for one, other in both if letter == one
    ]
