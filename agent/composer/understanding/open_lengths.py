"""Open lengths: a piece that is to be as long as its parts together are not."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.tokens import Token
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import counted


def contradicting(parts: Sequence[int], bars: int | None) -> int | None:
    """The total number of bars of the parts (0: length not said) if that cannot be `bars`; None if it can."""
    made = sum(parts)
    if bars is None or not parts or made == bars or (made + parts.count(0) <= bars and 0 in parts):
        return None
    return made + parts.count(0)


def with_length(
    request: str, places: Sequence[Token], passed: frozenset[int], lexicon: Lexicon, bars: int, made: int
) -> tuple[str, ...]:
    """The request with `made` in place of `bars` bars where it states them (not at the tokens `passed`), as a tuple of
    one; empty if it does not state them."""
    tokens = [token.text.casefold() for token in places]
    for at in range(len(tokens)):
        found = counted(tokens, at, lexicon, ("bars",)) if at not in passed else None
        if found is not None and int(found[1]) == bars:
            unit = request[places[found[0] - 1].start : places[found[0] - 1].end]
            return (f"{request[: places[at].start]}{made} {unit}{request[places[found[0] - 1].end :]}",)
    return ()
