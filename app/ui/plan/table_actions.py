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
    """An action for the panel on the rows `steps` (step ids); empty if it is about the whole plan."""

    action: PlanAction
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unfold:
    """Show (`on`) or hide the loop items of the row `step`."""

    step: str
    on: bool


@dataclass(frozen=True)
class FoldGroup:
    """Close an open group, or open a closed one."""

    index: QModelIndex


@dataclass(frozen=True)
class GoTo:
    """Make another cell the current one."""

    index: QModelIndex


TableAction: TypeAlias = PlanRequest | Unfold | FoldGroup | GoTo


def toggled(model: PlanModel, index: QModelIndex) -> PlanRequest | None:
    """Approve or reject the row or the whole group at an index; None if there is nothing to approve there."""
    item = model.item(index)
    if model.run or item is None or isinstance(item, PlanItem):
        return None
    if isinstance(item, PlanGroup):
        return _decided(item.rows, item.approved is not True)
    return _decided((item,), not item.approved)


def all_decided(model: PlanModel, *, approved: bool) -> PlanRequest | None:
    """Approve all rows shown, or reject them if not `approved`; None while a run is shown."""
    return None if model.run else _decided([row for group in model.table.groups for row in group.rows], approved)


def moved(model: PlanModel, index: QModelIndex, by: int) -> PlanRequest | None:
    """Move the row at an index up (`by` -1) or down (1); at the edge of its group it joins the next group. None while a
    run is shown, at the table's end, and without a row."""
    row = model.row_at(index)
    place = None if model.run or row is None else place_beside(model.table, row.id, by)
    return None if row is None or place is None else move_beside(row.id, *place)


def move_beside(step: str, beside: str, below: bool) -> PlanRequest:
    """The request to put the row `step` right above (or `below`) the row `beside`."""
    return PlanRequest("move below" if below else "move above", (step, beside))


def _decided(rows: Iterable[PlanRow], approved: bool) -> PlanRequest:
    return PlanRequest("approve" if approved else "reject", tuple(row.id for row in rows))
