"""Phrases of lists of a language, found at the places of one request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agent.composer.phrase_sets import phrase_set


class Phrases:
    """Finds the phrases of named lists in casefolded tokens."""

    def __init__(self, lists: Mapping[str, Iterable[str]], tokens: Sequence[str]) -> None:
        self._lists = {name: phrase_set(tuple(phrases)) for name, phrases in lists.items()}
        self._tokens = tuple(tokens)

    def length(self, name: str, at: int) -> int:
        """Tokens of the longest phrase of a list that begins at a token; 0 where none does."""
        return self._lists[name].length(self._tokens, at)

    def spans(self, name: str, first: int = 0, last: int | None = None) -> list[range]:
        """Where phrases of a list stand in the tokens `first` to `last` (not included)."""
        found: list[range] = []
        if not self._lists[name].may_stand_in(self._tokens):
            return found
        at, end = first, len(self._tokens) if last is None else last
        while at < end:
            length = self.length(name, at)
            while length and (more := self.length(name, at + length - 1)) > 1:
                # "must loop" and "loop perfectly" in one
                length += more - 1
            if length and at + length <= end:
                found.append(range(at, at + length))
            at += max(1, length)
        return found
