"""In which quality sound shall be written: 24 bit, 48 kHz, 320 kbps."""

from __future__ import annotations

import re

from agent.chat.reading.language import Language

_NUMBER = re.compile(r"\d+([.,]\d+)?")
_ANY = "0"
"""What stands for every number in the phrases."""


def without_qualities(tokens: tuple[str, ...], language: Language) -> tuple[str, ...]:
    """The tokens without words for the quality of sound ("24 bit, 48 kHz") and the commas between them."""
    plain = tuple(_ANY if _NUMBER.fullmatch(token) else token for token in tokens)
    kept: list[str] = []
    at = 0
    while at < len(tokens):
        if length := language.asides["qualities"].at(plain, at):
            at += length
            at += int(plain[at : at + 1] in ((",",), ("/",)) and bool(language.asides["qualities"].at(plain, at + 1)))
        else:
            kept.append(tokens[at])
            at += 1
    return tuple(kept)


def names_quality(tokens: tuple[str, ...], language: Language) -> bool:
    """Whether the tokens name a quality of exported sound ("48k/24 bit")."""
    return len(without_qualities(tokens, language)) < len(tokens)
