"""Open lengths: a piece that is to be as long as its parts together are not."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.tokens import Token
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import counted


def contradicting(parts: Sequence[int], bars: int | None) -> int | None:
    """How many bars the parts of a piece make (0: not said) where that cannot be `bars`; None where it can."""
    made = sum(parts)
    if bars is None or not parts or made == bars or (made + parts.count(0) <= bars and 0 in parts):
        return None
    return made + parts.count(0)


def with_length(
    request: str, places: Sequence[Token], passed: frozenset[int], lexicon: Lexicon, bars: int, made: int
) -> tuple[str, ...]:
    """The request again with `made` bars instead of `bars`, where these are said, past the tokens `passed`."""
    tokens = [token.text.casefold() for token in places]
    for at in range(len(tokens)):
        found = counted(tokens, at, lexicon, ("bars",)) if at not in passed else None
        if found is not None and int(found[1]) == bars:
            unit = request[places[found[0] - 1].start : places[found[0] - 1].end]
            return (f"{request[: places[at].start]}{made} {unit}{request[places[found[0] - 1].end :]}",)
    return ()
