"""Sense tables: what phrases mean, looked up at a token and by the kind of meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from agent.composer.understanding.phrase_table import PhraseTable
from agent.composer.understanding.senses import Sense, Senses

_NONE: frozenset[Sense] = frozenset()


class SenseTable(PhraseTable[Senses]):
    """A `PhraseTable` with the senses of phrases, and a quick check whether any phrase that begins with a token has a
    sense."""

    def __init__(self, phrases: Mapping[tuple[str, ...], Senses]) -> None:
        self._begun: dict[str, frozenset[Sense]] = {}
        """All senses of the phrases that begin with a token."""
        super().__init__(phrases)

    def copy(self) -> SenseTable:
        """An independent copy."""
        other = super().copy()
        other._begun = dict(self._begun)
        return other

    def put(self, phrase: tuple[str, ...], value: Senses) -> None:
        """Map a phrase of at least one token to its senses."""
        super().put(phrase, value)
        if phrase:
            self._begun[phrase[0]] = self._begun.get(phrase[0], _NONE) | value.keys()

    def sense(self, tokens: Sequence[str], at: int, sense: Sense) -> tuple[int, str] | None:
        """Length and value of the longest phrase at token `at` that has this sense; None for none."""
        if at >= len(tokens) or sense not in self._begun.get(tokens[at], _NONE):
            return None
        for length, senses in self.at(tokens, at):
            if sense in senses:
                return length, senses[sense]
        return None

    def with_any(self, tokens: Sequence[str], at: int, wanted: Set[Sense]) -> Sequence[tuple[int, Senses]]:
        """Length and senses of every phrase at token `at`, the longest first; empty if no phrase that begins with this
        token has any of the senses `wanted`."""
        if at >= len(tokens) or wanted.isdisjoint(self._begun.get(tokens[at], _NONE)):
            return ()
        return self.at(tokens, at)
