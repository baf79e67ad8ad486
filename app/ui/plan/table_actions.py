"""What a key, a click or a menu's entry of the plan's table means: values that the table carries out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QModelIndex

from app.ui.plan.model import PlanModel
from app.viewmodels.plan.rows import PlanGroup, PlanItem, PlanRow, place_beside

PlanAction: TypeAlias = Literal[
    "run", "discard", "approve all", "reject all", "toggle", "undo", "redo", "afresh", "save", "open", "hear", "side",
    "loop", "retry", "roll back", "stop", "pause", "approve", "reject", "reason", "again", "move above", "move below",
    "edit", "back", "fix", "repair", "notes", "roll", "events", "hear row", "hear edits", "skip", "approve edits",
]
"""What can be done with the plan as a whole: approve and run it, throw it away, decide on all rows or the current one,
take decisions back or bring them again, ask for it afresh, save it or open another, hear it, change between A and B or
loop what is compared; with its run: retry, roll back, stop, pause; with rows: approve or reject them, reject them with
a reason, ask for them again, put the first above or below the second; with one row: edit, change back, mend a mark, ask
the model for a repair, open or close notes, see the clip in the piano roll or the events, hear it or its edits that
wait, leave it out, accept its edits."""


@dataclass(frozen=True)
class PlanRequest:
    """What the table itself cannot do, for these steps; none where it is about the whole plan."""

    action: PlanAction
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unfold:
    """Show the items of a row under it, or fold them away."""

    step: str
    on: bool


@dataclass(frozen=True)
class FoldGroup:
    """Close a group that is open, or open it."""

    index: QModelIndex


@dataclass(frozen=True)
class GoTo:
    """Take the keyboard to another cell."""

    index: QModelIndex


TableAction: TypeAlias = PlanRequest | Unfold | FoldGroup | GoTo


def toggled(model: PlanModel, index: QModelIndex) -> PlanRequest | None:
    """Approve or reject a row, or a whole group; None for what is not decided on."""
    item = model.item(index)
    if model.run or item is None or isinstance(item, PlanItem):
        return None
    if isinstance(item, PlanGroup):
        return _decided(item.rows, item.approved is not True)
    return _decided((item,), not item.approved)


def all_decided(model: PlanModel, *, approved: bool) -> PlanRequest | None:
    """Approve or reject every row that is shown."""
    return None if model.run else _decided([row for group in model.table.groups for row in group.rows], approved)


def moved(model: PlanModel, index: QModelIndex, by: int) -> PlanRequest | None:
    """Let a row change places with the one above (-1) or below (1); at the edge of its group it joins the next."""
    row = model.row_at(index)
    place = None if model.run or row is None else place_beside(model.table, row.id, by)
    return None if row is None or place is None else move_beside(row.id, *place)


def move_beside(step: str, beside: str, below: bool) -> PlanRequest:
    """Put a row right above or below another."""
    return PlanRequest("move below" if below else "move above", (step, beside))


def _decided(rows: Iterable[PlanRow], approved: bool) -> PlanRequest:
    return PlanRequest("approve" if approved else "reject", tuple(row.id for row in rows))
