"""Denying: words that turn round what stands behind them and belong to nothing that was understood: "doesn't build"."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import structs

from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.ownership import quoted


def denied_in(clauses: Sequence[ReadClause], tokens: Sequence[str], denying: Collection[str]) -> frozenset[int]:
    """Indices of tokens of a new piece's clauses that follow a negation not understood, up to the clause's end:
    "doesn't build" asks for no build-up. `denying` are the negating words."""
    left = [one for one in clauses if one.outcome == "told"]
    return frozenset(
        at
        for one in clauses if one.outcome == "understood"
        for inner in left if one.first <= inner.first and inner.last <= one.last
        for first in _denying(inner, tokens, denying) for at in range(first, one.last)
    )


def _denying(clause: ReadClause, tokens: Sequence[str], denying: Collection[str]) -> Iterator[int]:
    return (at for at in range(clause.first, clause.last) if tokens[at] in denying)


def denials(denied: frozenset[int], tokens: Sequence[str]) -> Iterator[ReadClause]:
    """Clauses with the outcome "told" for each run of the token indices `denied`, which begins with the negation
    ("doesn't build")."""
    for first in sorted(at for at in denied if at - 1 not in denied):
        last = next(at for at in range(first, len(tokens) + 1) if at not in denied)
        yield ReadClause(
            first, last, "told", reason=f"I do not see what {quoted(tokens[first : first + 1])} means there"
        )


def denying(intent: Intent, told: Sequence[ReadClause]) -> Intent:
    """The intent with the clauses `told` inserted in order, in place of clauses that begin within them."""
    held = [one for one in intent.clauses if not any(other.first <= one.first < other.last for other in told)]
    clauses = sorted((*held, *told), key=lambda one: one.first)
    ignored = dict.fromkeys((*intent.ignored, *(one.text for one in told)))
    return structs.replace(intent, clauses=tuple(clauses), ignored=tuple(ignored))
