"""Noise: swear words and slang that only colour a sentence, which is read as if they were not there."""

from __future__ import annotations

import re

from agent.chat.reading.language import Language

_MASKED = re.compile(r"\b[^\W\d_]{1,3}[*#@$]{2,12}[^\W\d_]{0,8}")
"""A swear word that its writer made unreadable: f***ing."""


def unmasked(text: str, language: Language) -> str:
    """The text with masked swear words ("f***") replaced by a plain one."""
    return _MASKED.sub(language.words.noise.masked, text)


def without_noise(tokens: tuple[str, ...], language: Language) -> tuple[str, ...]:
    """The tokens without swear words and slang ("damn"); unchanged if nothing else would be left."""
    noise, words = language.noise, language.words.noise
    kept: list[str] = []
    at = 0
    while at < len(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else ""
        asks = words.asks.get(tokens[at])
        if asks is not None and (after in words.follows or after in language.shape["auxiliaries"]):
            kept.append(asks)
            at += 1
        elif not kept and language.hesitating.at(tokens, at) and _begins_question(tokens, at, language):
            at += language.hesitating.at(tokens, at)
        elif length := noise.at(tokens, at):
            at += length
        else:
            kept.append(tokens[at])
            at += 1
    return tuple(kept) or tokens


def _begins_question(tokens: tuple[str, ...], at: int, language: Language) -> bool:
    """Whether a question follows what one says before it: wait, what was that? but not: wait two bars."""
    after = tokens[at + language.hesitating.at(tokens, at) :]
    after = after[language.noise.at(after) :] if after and after[0] not in language.words.noise.asks else after
    first = after[0] if after else ""
    shape = language.shape
    asks = first in language.words.noise.asks or bool(shape["wh"].at(after)) or first in shape["placing"]
    return asks or first in shape["auxiliaries"]
