"""Features: what of a saying's words its intent is told by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from agent.chat.reading.clock_tokens import clock_seconds
from agent.chat.reading.language import Language
from agent.chat.reading.sentences import plain_tokens

_PART, _SECTION, _CLOCK, _NUMBER = "¶", "§", "0:00", "0"
"""Stand for the name of a part or section, a time and a number: a question about the flute is one about the bass."""
_START, _END = "^", "$"
_LONGEST = 3
"""Words of the longest name that stands for a part or section."""
_LEAST = 3
"""Letters that are left of a word without its ending."""
PAIR = 0.5
"""What two words that follow each other weigh, where one alone weighs 1."""


class FeatureReader:
    """Takes the features of a text of one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def of(self, text: str) -> dict[str, float]:
        """The features of a text, each with its weight: words without endings, and pairs of words; punctuation but
        question marks left out."""
        return self.of_tokens(plain_tokens(text, self._language))

    def of_tokens(self, tokens: Sequence[str]) -> dict[str, float]:
        """The same of tokens as `plain_tokens` gives them."""
        found: dict[str, float] = {}
        row = [_START]
        for stands, own in self._classed(tokens):
            word = stands or self._without_ending(own)
            found[word] = 1.0
            if stands in (_PART, _SECTION):
                found[own] = 1.0
            row.append(word)
        if found:
            found.update({f"{one} {two}": PAIR for one, two in pairwise([*row, _END])})
        return found

    def _classed(self, tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Each word with what it stands for, "" for itself."""
        at = 0
        while at < len(tokens):
            length, kind = self._named(tokens, at)
            own = " ".join(tokens[at : at + length])
            if kind:
                yield kind, own
            elif clock_seconds(own) is not None:
                yield _CLOCK, own
            elif own[0].isdecimal():
                yield _NUMBER, own
            elif own[0].isalpha() or own == "?":
                yield "", own
            at += length

    def _named(self, tokens: Sequence[str], at: int) -> tuple[int, str]:
        for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
            if (kind := self._kinds.get(tuple(tokens[at : at + length]))) is not None:
                return length, kind
        return 1, ""

    def _without_ending(self, word: str) -> str:
        for ending in self._language.sayings.endings:
            if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
                return word.removesuffix(ending)
        return word

    @cached_property
    def _kinds(self) -> Mapping[tuple[str, ...], str]:
        music = self._language.music
        parts = {plain_tokens(word, self._language): _PART for thing in music.things for word in thing.words}
        return parts | {plain_tokens(word, self._language): _SECTION for one in music.sections for word in one.words}
