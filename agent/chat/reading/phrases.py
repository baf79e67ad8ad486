"""Sets of phrases that are looked up at a token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.composer.phrase_sets import PhraseSet
from agent.composer.tokens import folded_tokens


class PhraseList:
    """A list of phrases to be found in tokens; the longest match counts."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._known = PhraseSet(folded_tokens(phrase) or (phrase,) for phrase in phrases)

    def at(self, tokens: Sequence[str], start: int = 0) -> int:
        """The number of tokens of the longest phrase that begins at token `start`; 0 for none."""
        return self._known.length(tokens, start)

    def find(self, tokens: Sequence[str]) -> tuple[int, int] | None:
        """(start, length) of the first phrase among the tokens; None for none."""
        for start in range(len(tokens)):
            if length := self.at(tokens, start):
                return start, length
        return None

    def __contains__(self, token: str) -> bool:
        return self._known.length((token,)) > 0


def without_leading(tokens: Sequence[str], phrases: PhraseList) -> tuple[str, ...]:
    """The tokens without leading phrases of the list and commas."""
    at = 0
    while at < len(tokens) and (length := phrases.at(tokens, at) or int(tokens[at] in PAUSES)):
        at += length
    return tuple(tokens[at:])


PAUSES = (",", ":", "/")
ENDS = (".", "!", "?", ";")
