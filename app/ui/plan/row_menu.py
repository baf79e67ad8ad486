"""What can be done with a row, as the entries of a menu."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import QModelIndex

from app.desktop.steps.row_previews import Notes
from app.desktop.table.plan_rows import PlanRow
from app.desktop.table.row_items import item_count
from app.ui.plan.cell_parts import can_hear
from app.ui.plan.cells import PlanCells
from app.ui.plan.table_actions import Ask, TableAction, Toggle, Unfold
from app.words import tr, trn

Entry: TypeAlias = tuple[str, TableAction] | None
"""Words, and what they do; None is a line."""


def row_entries(row: PlanRow, index: QModelIndex, selected: tuple[str, ...], cells: PlanCells) -> list[Entry]:
    """The menu of the row at an index; what several rows can take is for all `selected` ones, if it is among them."""
    one, many = (row.id,), selected if row.id in selected else (row.id,)
    found: list[Entry] = [] if cells.run else _review(row, index, many, cells)
    if can_hear(row):
        found.append((tr("Hear from here"), Ask("hear", one)))
    if isinstance(row.drawing, Notes) and row.drawing.notes:
        found.append((tr("Hide its notes") if row.id in cells.noted else tr("Show its notes"), Ask("notes", one)))
        if row.approved:
            found.append((tr("Open in the piano roll"), Ask("roll", one)))
    if item_count(row):
        shown = row.id in cells.unfolded
        found.append((tr("Fold its items") if shown else tr("Show its items"), Unfold(row.id, not shown)))
    if not cells.run:
        return [*found, *_again(many)]
    if row.standing.mark.bad:
        found += [(tr("Retry failed steps"), Ask("retry")), (tr("Edit step…"), Ask("edit", one))]
    return [*found, (tr("Show its events"), Ask("events", one))]


def _review(row: PlanRow, index: QModelIndex, many: tuple[str, ...], cells: PlanCells) -> list[Entry]:
    found: list[Entry] = [
        (tr("Reject step") if row.approved else tr("Approve step"), Toggle(index)),
        (tr("Reject {steps} with a reason…", steps=_steps(many)), Ask("reason", many)),
        (tr("Edit step…"), Ask("edit", (row.id,))),
    ]
    if row.edited:
        found.append((tr("Back to proposal"), Ask("back", (row.id,))))
    if row.findings and cells.fixable(row):
        words = tr("Fix: {what}", what=row.findings[0].message).replace("&", "&&")
        found.append((words, Ask("fix", (row.id,))))
    return found


def _again(many: tuple[str, ...]) -> list[Entry]:
    words = tr("Ask again for {steps}…", steps=_steps(many, tr("this step")))
    return [None, (words, Ask("again", many)), (tr("Ask again for the whole plan"), Ask("afresh"))]


def _steps(steps: tuple[str, ...], one: str = "") -> str:
    return one if one and len(steps) == 1 else trn("step", "{count} steps", len(steps))
