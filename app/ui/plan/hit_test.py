"""What lies where in a row of the plan, and what a click there means; clicks on nothing but a row are Qt's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QModelIndex, QRect

from app.ui.plan.columns import PlanColumn
from app.ui.plan.model import PlanModel
from app.ui.plan.table_actions import FoldGroup, PlanRequest, TableAction, Unfold, toggled
from app.viewmodels.plan.row_previews import Notes
from app.viewmodels.plan.rows import PlanGroup, PlanItem, PlanRow

BOX = 14
GROUP_BOX_LEFT = 34
_FIX_WIDTH = 34
_ACTION = 26
_ITEMS_WIDTH = 84


CellPart: TypeAlias = Literal["row", "caret", "check", "edit", "hear row", "fix", "notes", "retry"]
"""A part of a cell that reacts to a click: it selects the row, folds, approves or rejects it, or is a button for an
action."""


def fix_area(area: QRect) -> QRect:
    """The rectangle of the fix button in a state cell."""
    return QRect(area.right() - _FIX_WIDTH - 4, area.y() + 3, _FIX_WIDTH, area.height() - 7)


def action_areas(area: QRect) -> tuple[QRect, QRect]:
    """The rectangles of the audition and edit buttons in a cell, in this order."""
    edit = QRect(area.right() - _ACTION - 4, area.y(), _ACTION, area.height())
    return edit.translated(-_ACTION, 0), edit


def items_area(area: QRect) -> QRect:
    """The rectangle of the fold button for a row's items, at the end of its sentence cell."""
    return QRect(area.right() - _ITEMS_WIDTH, area.y(), _ITEMS_WIDTH, area.height())


def editable(row: PlanRow, *, run: bool) -> bool:
    """Whether a row's inputs can be edited: before a run every row, in a run only a failed one."""
    return not run or row.standing.mark.bad


def can_hear(row: PlanRow) -> bool:
    """Whether the row can be auditioned, as it makes something that sounds at one place of the song."""
    return row.approved and row.facts.start is not None


def part_at(
    model: PlanModel, item: PlanRow | PlanGroup | PlanItem, column: PlanColumn, area: QRect, x: int, y: int
) -> CellPart:
    """The part of a cell at pixel (`x`, `y`); the cell lies in `area`."""
    run = model.run
    if isinstance(item, PlanGroup):
        in_box = GROUP_BOX_LEFT - 5 <= x <= GROUP_BOX_LEFT + BOX + 5
        return "check" if in_box and not run else "caret"
    if isinstance(item, PlanItem):
        again = column is PlanColumn.ACTIONS and item.standing.mark.bad and not model.busy
        return "retry" if again and action_areas(area)[1].contains(x, y) else "row"
    match column:
        case PlanColumn.STEP if item.item_count and items_area(area).contains(x, y):
            return "caret"
        case PlanColumn.CHECK if not run:
            return "check"
        case PlanColumn.STATE if not run and fix_area(area).contains(x, y) and item.findings and model.fixable(item):
            return "fix"
        case PlanColumn.PREVIEW if isinstance(item.drawing, Notes) and item.drawing.notes:
            return "notes"
        case PlanColumn.ACTIONS:
            hear, edit = action_areas(area)
            if hear.contains(x, y) and can_hear(item):
                return "hear row"
            if edit.contains(x, y) and editable(item, run=run):
                return "edit"
    return "row"


@dataclass(frozen=True)
class CellSpot:
    """A place in the table: the cell's index, the row, group or item it shows (None: a story), and the part of it that
    was hit."""

    index: QModelIndex
    item: PlanRow | PlanGroup | PlanItem | None
    part: CellPart


def clicked(model: PlanModel, spot: CellSpot) -> TableAction | None:
    """The action of a click; None if it only selects the row."""
    item, part = spot.item, spot.part
    if item is None or part == "row":
        return None
    if part == "caret":
        return Unfold(item.id, item.id not in model.unfolded) if isinstance(item, PlanRow) else FoldGroup(spot.index)
    if part == "check":
        return toggled(model, spot.index)
    return PlanRequest(part, (item.id,) if isinstance(item, PlanRow) else ())


def double_clicked(spot: CellSpot) -> PlanRequest | None:
    """The action of a double click: edit the row, or show its clip. None on parts that react to single clicks."""
    if not isinstance(spot.item, PlanRow) or spot.part not in ("row", "notes"):
        return None
    return PlanRequest("edit" if spot.part == "row" else "roll", (spot.item.id,))


def held(spot: CellSpot) -> str:
    """The id of the row that is pressed by its number and can be dragged; empty if there is none."""
    by_number = isinstance(spot.item, PlanRow) and spot.index.column() == PlanColumn.NUMBER
    return spot.item.id if by_number and isinstance(spot.item, PlanRow) else ""
