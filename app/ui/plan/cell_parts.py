"""What lies where in a row of the plan, and what a click there means."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QRect

from app.desktop.steps.row_previews import Notes
from app.desktop.table.plan_rows import PlanGroup, PlanRow
from app.desktop.table.row_items import PlanItem, item_count
from app.ui.plan.columns import Column

BOX = 14
GROUP_BOX_LEFT = 34
_FIX_WIDTH = 34
_ACTION = 26
_ITEMS_WIDTH = 84


class Part(StrEnum):
    """What a click can mean."""

    CARET = "caret"
    CHECK = "check"
    EDIT = "edit"
    HEAR = "hear"
    FIX = "fix"
    NOTES = "notes"
    RETRY = "retry"
    ROW = "row"


def fix_area(area: QRect) -> QRect:
    """Where the fix of a state cell is."""
    return QRect(area.right() - _FIX_WIDTH - 4, area.y() + 3, _FIX_WIDTH, area.height() - 7)


def action_areas(area: QRect) -> tuple[QRect, QRect]:
    """Where a row is heard and edited."""
    edit = QRect(area.right() - _ACTION - 4, area.y(), _ACTION, area.height())
    return edit.translated(-_ACTION, 0), edit


def items_area(area: QRect) -> QRect:
    """Where the items of a row are unfolded: the end of its sentence's cell."""
    return QRect(area.right() - _ITEMS_WIDTH, area.y(), _ITEMS_WIDTH, area.height())


def editable(row: PlanRow, *, run: bool) -> bool:
    """Every row before the run, afterwards those that failed."""
    return not run or row.standing.mark.bad


def can_hear(row: PlanRow) -> bool:
    """Whether the row makes something sound that stands in one place."""
    return row.approved and row.facts.start is not None


def group_part(x: int, *, run: bool) -> Part:
    """What is under the mouse in a group's line."""
    in_box = GROUP_BOX_LEFT - 5 <= x <= GROUP_BOX_LEFT + BOX + 5
    return Part.CHECK if in_box and not run else Part.CARET


def part_at(
    item: PlanRow | PlanGroup | PlanItem, column: Column, area: QRect, x: int, y: int, *, run: bool,
    fixable: Callable[[PlanRow], bool],
) -> Part:
    """What is under the mouse in a cell that lies in this area."""
    if isinstance(item, PlanGroup):
        return group_part(x, run=run)
    if isinstance(item, PlanItem):
        retried = column is Column.ACTIONS and item.standing.mark.bad and action_areas(area)[1].contains(x, y)
        return Part.RETRY if retried else Part.ROW
    match column:
        case Column.STEP if item_count(item) and items_area(area).contains(x, y):
            return Part.CARET
        case Column.CHECK if not run:
            return Part.CHECK
        case Column.STATE if not run and fix_area(area).contains(x, y) and item.findings and fixable(item):
            return Part.FIX
        case Column.PREVIEW if isinstance(item.drawing, Notes) and item.drawing.notes:
            return Part.NOTES
        case Column.ACTIONS:
            hear, edit = action_areas(area)
            if hear.contains(x, y) and can_hear(item):
                return Part.HEAR
            if edit.contains(x, y) and editable(item, run=run):
                return Part.EDIT
    return Part.ROW
