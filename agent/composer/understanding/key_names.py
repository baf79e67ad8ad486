"""Key names: the note of a key by its sung name, "sol minor" or "la bemol major", and the note a piece rests on."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.piece_words import FigureWords
from agent.composer.understanding.lexicon import Lexicon

_KINDS = frozenset({"style", "genre", "mood"})
_REACH = 3
"""Most words between a ground and "on": "a low drone all on D"."""


def sung_tonic(tokens: Sequence[str], at: int, words: FigureWords) -> tuple[int, str] | None:
    """How many casefolded tokens a sung tonic spans, and its letter with its accidental; None where there is none."""
    name = tokens[at]
    stuck = name[-1:] if name[-1:] in words.signs else ""
    letter = words.tonics.get(name.removesuffix(stuck))
    if letter is None:
        return None
    if stuck:
        return 1, letter + words.signs[stuck]
    sign = words.signs.get(tokens[at + 1]) if at + 1 < len(tokens) else None
    return (2, letter + sign) if sign is not None else (1, letter)


def rests_on(tokens: Sequence[str], at: int, words: FigureWords) -> bool:
    """Whether a note at a token is that on which a piece rests: "a drone on D", "centred on E"."""
    if at < 2 or tokens[at - 1] not in ("on", "around"):
        return False
    return any(word in words.grounds for word in tokens[max(0, at - 1 - _REACH) : at - 1])


def of_style(tokens: Sequence[str], at: int, length: int, lexicon: Lexicon) -> bool:
    """Whether a note of `length` tokens is the key of the kind of music behind it: "F blues", but not "G-funk"."""
    named = lexicon.find(tokens, at)
    if named is not None and named.length > length and _KINDS & named.senses.keys():
        return False
    style = lexicon.find(tokens, at + length) if at + length < len(tokens) else None
    return style is not None and bool(_KINDS & style.senses.keys())
