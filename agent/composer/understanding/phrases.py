"""Phrases of lists of a language, found at the places of one request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agent.composer.phrase_sets import phrase_set


class Phrases:
    """Finds phrases of named lists in the casefolded tokens of one request."""

    def __init__(self, lists: Mapping[str, Iterable[str]], tokens: Sequence[str]) -> None:
        self._lists = {name: phrase_set(tuple(phrases)) for name, phrases in lists.items()}
        self._tokens = tuple(tokens)

    def length(self, name: str, at: int) -> int:
        """The number of tokens of the longest phrase of list `name` that begins at token `at`; 0 for none."""
        return self._lists[name].length(self._tokens, at)

    def spans(self, name: str, first: int = 0, last: int | None = None) -> list[range]:
        """The token ranges of phrases of list `name` among the tokens `first` to `last` (not included); overlapping
        ones are joined."""
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
