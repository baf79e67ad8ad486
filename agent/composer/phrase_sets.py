"""Phrase sets: lists of phrases, made ready to be found at a token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from agent.composer.tokens import folded_tokens


class PhraseSet:
    """Phrases as rows of tokens; most tokens begin none, which one look tells."""

    def __init__(self, rows: Iterable[tuple[str, ...]]) -> None:
        self._rows: dict[str, list[tuple[str, ...]]] = {}
        for row in sorted(filter(None, rows), key=len, reverse=True):
            self._rows.setdefault(row[0], []).append(row)

    def begins(self, token: str) -> bool:
        """Whether a phrase begins with the token."""
        return token in self._rows

    def length(self, tokens: Sequence[str], at: int = 0) -> int:
        """Tokens of the longest phrase that begins at a token; 0 where none does."""
        for first in tokens[at : at + 1]:
            for row in self._rows.get(first, ()):
                if tuple(tokens[at : at + len(row)]) == row:
                    return len(row)
        return 0


@lru_cache(maxsize=4_096)
def phrase_set(phrases: tuple[str, ...]) -> PhraseSet:
    """The phrases of a list of a language, casefolded: each list is looked up with every message. A lone sign is
    none."""
    return PhraseSet(map(folded_tokens, phrases))
