"""How words changed a plan: its rows that were dropped, changed or are new, and how many are as before."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

from agent.plan.document import Plan
from app.desktop.review.redone import Redone, change_words

Fate = Literal["dropped", "changed", "new"]


class RefinedRow(Struct, frozen=True):
    """A row of the plan with its number, of a dropped one that in the draft before; `what` says what is other in it."""

    fate: Fate
    number: int
    title: str
    what: str = ""


class Refined(Struct, frozen=True):
    """The difference of draft number `draft` from the one before it.

    `edited` are the numbers of unchanged rows that a person changed by hand. `before` is the hash of the draft before,
    which was put aside; empty where it cannot be brought back any more.
    """

    draft: int
    rows: tuple[RefinedRow, ...]
    unchanged: int
    edited: tuple[int, ...] = ()
    before: str = ""


def refined(found: Redone, before: Plan, after: Plan, edited: Collection[str], *, back: bool) -> Refined:
    """The difference of a plan from the one before; `edited` are rows changed by hand, `back` whether that waits."""
    old = {step.id: number for number, step in enumerate(before.steps, 1)}
    rows = [RefinedRow("dropped", old[step.id], step.title) for step in found.gone]
    for number, step in enumerate(after.steps, 1):
        if step.id in found.was:
            was = found.was[step.id]
            what = "" if was is None else change_words(was, step)
            rows.append(RefinedRow("new" if was is None else "changed", number, step.title, what))
    kept = tuple(
        number for number, step in enumerate(after.steps, 1) if step.id in edited and step.id not in found.was
    )
    unchanged = len(after.steps) - sum(row.fate != "dropped" for row in rows)
    return Refined(_draft(after), tuple(rows), unchanged, kept, before.hash if back else "")


def _draft(plan: Plan) -> int:
    """Each remark on a plan stands in a line of its request."""
    return plan.request.count("\n") + 1
