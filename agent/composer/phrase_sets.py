"""Phrase sets: lists of phrases, made ready to be found at a token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from agent.composer.tokens import folded_tokens


class PhraseSet:
    """A set of phrases, indexed by their first token for quick lookup."""

    def __init__(self, rows: Iterable[tuple[str, ...]]) -> None:
        self._rows: dict[str, list[tuple[str, ...]]] = {}
        for row in sorted(filter(None, rows), key=len, reverse=True):
            self._rows.setdefault(row[0], []).append(row)

    def begins(self, token: str) -> bool:
        """Whether a phrase begins with the token."""
        return token in self._rows

    def may_stand_in(self, tokens: Iterable[str]) -> bool:
        """Whether a phrase begins with one of the tokens."""
        return not self._rows.keys().isdisjoint(tokens)

    def length(self, tokens: Sequence[str], at: int = 0) -> int:
        """The number of tokens of the longest phrase that begins at index `at`; 0 if none does."""
        rows = self._rows.get(tokens[at]) if 0 <= at < len(tokens) else None
        if rows is None:
            return 0
        second = tokens[at + 1] if at + 1 < len(tokens) else ""
        for row in rows:
            length = len(row)
            if length == 1 or (row[1] == second and tuple(tokens[at : at + length]) == row):
                return length
        return 0


@lru_cache(maxsize=4_096)
def phrase_set(phrases: tuple[str, ...]) -> PhraseSet:
    """A `PhraseSet` of these phrases, casefolded and cached by the tuple. A phrase that is only a sign is left out."""
    return PhraseSet(map(folded_tokens, phrases))
