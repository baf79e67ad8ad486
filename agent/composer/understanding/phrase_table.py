"""Phrase tables: what phrases stand for, looked up at a token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, Self, TypeVar

from agent.composer.tokens import folded_tokens

T = TypeVar("T")
_LONGEST = 5
"""Tokens of the longest phrase that is found."""


class PhraseTable(Generic[T]):
    """A map from phrases (casefolded tokens) to values, indexed by first token for quick lookup."""

    def __init__(self, phrases: Mapping[tuple[str, ...], T]) -> None:
        self._phrases: dict[tuple[str, ...], T] = {}
        self._longest: dict[str, int] = {}
        """Tokens of the longest phrase by its first token."""
        self._pairs: set[tuple[str, str]] = set()
        """The first two tokens of each longer phrase."""
        for phrase, value in phrases.items():
            self.put(phrase, value)

    @classmethod
    def of(cls, phrases: Iterable[tuple[str, T]]) -> PhraseTable[T]:
        """The table of these (phrase, value) pairs; of equal phrases the last counts."""
        return cls({folded_tokens(phrase): value for phrase, value in phrases})

    def copy(self) -> Self:
        """An independent copy."""
        other = type(self)({})
        other._phrases, other._longest, other._pairs = dict(self._phrases), dict(self._longest), set(self._pairs)
        return other

    def put(self, phrase: tuple[str, ...], value: T) -> None:
        """Map a phrase of at least one token to a value."""
        self._phrases[phrase] = value
        if phrase:
            self._longest[phrase[0]] = max(self._longest.get(phrase[0], 0), min(len(phrase), _LONGEST))
        if len(phrase) > 1:
            self._pairs.add((phrase[0], phrase[1]))

    def get(self, phrase: tuple[str, ...]) -> T | None:
        """The value of exactly this phrase; None for none."""
        return self._phrases.get(phrase)

    def __contains__(self, phrase: object) -> bool:
        return phrase in self._phrases

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self._phrases)

    def begins(self, token: str) -> bool:
        """Whether a phrase begins with the token."""
        return token in self._longest

    def at(self, tokens: Sequence[str], at: int) -> Sequence[tuple[int, T]]:
        """Length and value of each phrase that begins at token `at`, the longest first."""
        if at >= len(tokens) or (longest := self._longest.get(tokens[at], 0)) == 0:
            return ()
        if longest > 1 and (at + 1 >= len(tokens) or (tokens[at], tokens[at + 1]) not in self._pairs):
            longest = 1
        found: list[tuple[int, T]] = []
        for length in range(min(longest, len(tokens) - at), 0, -1):
            value = self._phrases.get(tuple(tokens[at : at + length]))
            if value is not None:
                found.append((length, value))
        return found

    def longest_at(self, tokens: Sequence[str], at: int) -> tuple[int, T] | None:
        """Length and value of the longest phrase that begins at token `at`; None for none."""
        found = self.at(tokens, at)
        return found[0] if found else None
