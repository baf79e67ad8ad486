"""Languages that the composer does not read, by their script and their small words."""

from __future__ import annotations

import re

from agent.chat.messages import CommandName
from agent.chat.reading.language import Language
from agent.composer.tokens import tokens_of

_QUOTED = re.compile(r"\"[^\"]{0,200}\"|“[^“”]{0,200}”|«[^«»]{0,200}»|„[^„“”]{0,200}[“”]|‘[^‘’]{0,200}’")
_LOOKED_AT = 4000
"""Characters of a message that tell its language."""


def foreign_language(text: str, language: Language) -> str | None:
    """The English name of a message's language, by script or function words; None for English or if it cannot be told.

    Quoted words, and musical terms that all languages share, do not count.
    """
    plain = _QUOTED.sub(" ", text[:_LOOKED_AT]).casefold()
    return _by_script(plain, language) or _by_words(plain, language)


def foreign_command(text: str, language: Language) -> CommandName | None:
    """The command recognised in a message in another language, by the beginning of one of its words; None for none."""
    plain = f" {text[:_LOOKED_AT].casefold()}"
    for command, begins in language.words.foreign.commands.items():
        if any((f" {one}" if one.isascii() else one) in plain for one in begins):
            return command
    return None


def _by_script(text: str, language: Language) -> str | None:
    letters = sum(character.isalpha() for character in text)
    counted = {
        name: len(re.findall(f"[{script}]", text)) for name, script in language.words.foreign.scripts.items()
    }
    if not letters or sum(counted.values()) * 2 < letters:
        return None
    if counted.get("Ukrainian"):
        return "Ukrainian"
    # Japanese writes with Chinese letters too
    return "Japanese" if counted.get("Japanese") else max(counted, key=lambda name: counted[name])


def _by_words(text: str, language: Language) -> str | None:
    tokens = [token for token in tokens_of(text) if token[0].isalpha()]
    english = language.english
    own = [token for token in tokens if token not in language.loans]
    told = sum(token in english for token in tokens)
    best, most = None, 0
    for name, words in language.foreign.items():
        strange = sum(token in words and token not in english for token in own)
        hits = sum(token in words and (token not in english or len(token) < 3) for token in tokens)
        if strange and hits > most:
            best, most = name, hits
    if best is None:
        return None
    return best if (most >= 2 and most >= told) or not told else None
