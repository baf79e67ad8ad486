"""Phrase tables: what phrases stand for, looked up at a token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from agent.composer.tokens import folded_tokens

T = TypeVar("T")
_LONGEST = 5
"""Tokens of the longest phrase that is found."""


class PhraseTable(Generic[T]):
    """Phrases by their casefolded tokens; most tokens begin none, which one look tells."""

    def __init__(self, phrases: Mapping[tuple[str, ...], T]) -> None:
        self._phrases: dict[tuple[str, ...], T] = {}
        self._longest: dict[str, int] = {}
        """Tokens of the longest phrase by its first token."""
        for phrase, value in phrases.items():
            self.put(phrase, value)

    @classmethod
    def of(cls, phrases: Iterable[tuple[str, T]]) -> PhraseTable[T]:
        """The table of phrases as they are written; of equals the last one counts."""
        return cls({folded_tokens(phrase): value for phrase, value in phrases})

    def copy(self) -> PhraseTable[T]:
        """A table of its own with the same phrases."""
        other: PhraseTable[T] = PhraseTable({})
        other._phrases, other._longest = dict(self._phrases), dict(self._longest)
        return other

    def put(self, phrase: tuple[str, ...], value: T) -> None:
        """Let a phrase of at least one token stand for a value."""
        self._phrases[phrase] = value
        if phrase:
            self._longest[phrase[0]] = max(self._longest.get(phrase[0], 0), min(len(phrase), _LONGEST))

    def get(self, phrase: tuple[str, ...]) -> T | None:
        """What just these tokens stand for."""
        return self._phrases.get(phrase)

    def __contains__(self, phrase: object) -> bool:
        return phrase in self._phrases

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self._phrases)

    def begins(self, token: str) -> bool:
        """Whether a phrase begins with the token."""
        return token in self._longest

    def at(self, tokens: Sequence[str], at: int) -> list[tuple[int, T]]:
        """Length and value of each phrase that begins at a token, the longest first."""
        found: list[tuple[int, T]] = []
        longest = self._longest.get(tokens[at], 0) if at < len(tokens) else 0
        for length in range(min(longest, len(tokens) - at), 0, -1):
            value = self._phrases.get(tuple(tokens[at : at + length]))
            if value is not None:
                found.append((length, value))
        return found

    def longest_at(self, tokens: Sequence[str], at: int) -> tuple[int, T] | None:
        """Length and value of the longest phrase that begins at a token."""
        return next(iter(self.at(tokens, at)), None)
