"""Adjoining: words that say no more than a clause beside them belong to it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.understanding.clause import ReadClause


def done_before(stretch: range, clauses: Sequence[ReadClause]) -> ReadClause | None:
    """The nearest clause that ends before the tokens of `stretch`; None if there is none or it was not understood."""
    before = [one for one in clauses if one.last <= stretch.start]
    last = max(before, key=lambda one: (one.last, one.outcome != "told"), default=None)
    return last if last is not None and last.outcome == "understood" else None


def adjoined(clauses: Sequence[ReadClause], stretches: Sequence[range]) -> list[ReadClause]:
    """The clauses, with each of the `stretches` (token ranges) added to the understood clause before it, or if there is
    none to the one behind it: the words in brackets in "duck the pad (sidechain)"."""
    found = list(clauses)
    for stretch in stretches:
        before = done_before(stretch, found)
        if before is not None:
            found[found.index(before)] = structs.replace(before, last=stretch.stop)
            continue
        behind = min((one for one in found if one.first >= stretch.stop), key=lambda one: one.first, default=None)
        if behind is not None and behind.outcome == "understood":
            found[found.index(behind)] = structs.replace(behind, first=stretch.start)
    return found
