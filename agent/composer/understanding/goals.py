"""Goals: whether the main clause of a request describes a new piece, whatever its later clauses ask of that piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.senses import Sense

_SIGNS = frozenset(",;.!?:")
_KINDS: tuple[Sense, ...] = ("style", "genre", "mood")
_SPEAK_OF_ONE = frozenset({"change", "existing", "relative"})


def begins_new(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether casefolded tokens describe a piece before they mention a change: "dark techno at 130, don't make the bass
    too busy" does, "make it darker, like techno" does not."""
    for clause in _clauses(tokens):
        goals = {found[1] for at in range(len(clause)) if (found := lexicon.sense(clause, at, "goal")) is not None}
        if goals & _SPEAK_OF_ONE:
            return False
        if any(_describes(clause, at, lexicon) for at in range(len(clause))):
            return True
    return False


def _describes(clause: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    named = any(lexicon.sense(clause, at, kind) is not None for kind in _KINDS)
    return named or lexicon.standing.settings.longest_at(clause, at) is not None


def _clauses(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    first = 0
    for at, token in enumerate((*tokens, ".")):
        if token in _SIGNS:
            yield tokens[first:at]
            first = at + 1
