"""Ones: a word that stands for the instrument named before it, as the instrument: "the guitar for a nylon one"."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.composer.tokens import Token
from agent.composer.understanding.lexicon import Lexicon

_REACH = 12
"""Tokens before it among which the instrument stands."""


def named_ones(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens with each "one" after a kind of instrument ("a nylon one") replaced by the instrument named before it,
    or else after it, if the two together name an instrument."""
    words = lexicon.words.parts
    if words is None:
        return list(tokens)
    said = [token.text.casefold() for token in tokens]
    found = list(tokens)
    for at, word in enumerate(said):
        if at and word in words.kind and lexicon.wish_at(said[at - 1 : at + 1], 0) is None:
            near = [*reversed(said[max(0, at - _REACH) : at - 1]), *said[at + 1 : at + _REACH]]
            noun = next((one for one in near if _makes(said[at - 1], one, lexicon)), None)
            found[at] = replace(tokens[at], text=noun) if noun is not None else tokens[at]
    return found


def _makes(kind: str, noun: str, lexicon: Lexicon) -> bool:
    """Whether two words together name an instrument, and the second one does alone."""
    whole = lexicon.wish_at([kind, noun], 0)
    return whole is not None and whole[0] > 1 and lexicon.wish_at([noun], 0) is not None
