"""A message cut into sentences of plain tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from agent.chat.reading.clock_tokens import with_clocks
from agent.chat.reading.language import Language
from agent.chat.reading.noise import unmasked, without_noise
from agent.chat.reading.phrases import ENDS
from agent.composer.tokens import tokens_of

_DASH = re.compile(r"(?<=[^\W\d])\s+[-–—]{1,2}\s+(?=[^\W\d])")
"""A dash between words parts them as a comma does."""
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2764\ufe0f]+")


class Sentence(Struct, frozen=True):
    """A sentence: its casefolded tokens with contractions written out and without swear words; `asked` if a question
    mark ends it; `words` is the original text."""

    tokens: tuple[str, ...]
    asked: bool
    words: str


def sentences_of(text: str, language: Language) -> tuple[Sentence, ...]:
    """The sentences of a message, without empty ones."""
    found = []
    for words in re.split(r"(?<=[^.][.!?;])\s+|\n+", text.strip()):
        tokens = plain_tokens(words, language)
        body = without_noise(tuple(token for token in tokens if token not in ENDS), language)
        if body or tokens:
            found.append(Sentence(body, "?" in tokens, words.strip()))
    return tuple(one for one in found if one.tokens)


def plain_tokens(text: str, language: Language) -> tuple[str, ...]:
    """The casefolded tokens of a text with contractions written out; an emoji is a token of its own."""
    smiling = _EMOJI.findall(text)
    text = _DASH.sub(", ", text)
    tokens: list[str] = []
    for token in tokens_of(unmasked(_EMOJI.sub(" ", text), language)):
        unit = len(token) == 1 and bool(tokens) and tokens[-1][0].isdecimal()  # "44.1 k" is no "ok"
        tokens += (token,) if unit else language.contractions.get(token.casefold(), (token.casefold(),))
    return (*with_clocks(tuple(tokens)), *smiling)


def said(tokens: Sequence[str]) -> str:
    """The tokens joined to a text."""
    return re.sub(r" ([,.;:!?])", r"\1", " ".join(tokens))
