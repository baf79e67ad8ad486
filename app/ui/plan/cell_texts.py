"""What the cells of the plan tell: words, checks, tooltips, and what a screen reader says."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.desktop.table.plan_rows import PlanGroup, PlanRow
from app.desktop.table.row_items import PlanItem
from app.ui.plan.columns import Column
from app.ui.plan.tips import accessible_item_text, accessible_text, group_tip, item_tip, row_tip


def told(item: PlanRow | PlanGroup | PlanItem, column: Column, role: int) -> object:
    """The answer of a cell to a role of Qt's; None for one that it knows nothing of."""
    if isinstance(item, PlanItem):
        return _item_data(item, column, role)
    if role == Qt.ItemDataRole.CheckStateRole:
        return _check(item) if column is Column.CHECK else None
    if role == Qt.ItemDataRole.TextAlignmentRole and column is Column.NUMBER:
        return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    if role == Qt.ItemDataRole.DisplayRole:
        return _words(item, column)
    if role == Qt.ItemDataRole.ToolTipRole:
        return row_tip(item) if isinstance(item, PlanRow) else group_tip(item)
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return accessible_text(item, column is Column.CHECK)
    return None


def _item_data(item: PlanItem, column: Column, role: int) -> object:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            shown = {Column.NUMBER: item.number, Column.STEP: item.words, Column.STATE: item.standing.text}
            return shown.get(column, "")
        case Qt.ItemDataRole.ToolTipRole:
            return item_tip(item)
        case Qt.ItemDataRole.AccessibleTextRole:
            return accessible_item_text(item)
    return None


def _words(item: PlanRow | PlanGroup, column: Column) -> str:
    if isinstance(item, PlanGroup):
        return item.name if column is Column.NUMBER else ""
    facts = item.facts
    match column:
        case Column.NUMBER:
            return str(facts.number)
        case Column.STEP:
            return facts.sentence
        case Column.TARGET:
            return facts.target.name
        case Column.SERVICE:
            return facts.service
        case Column.DEPENDS:
            return facts.depends_on
        case Column.STATE:
            return item.standing.text
    return ""


def _check(item: PlanRow | PlanGroup) -> Qt.CheckState:
    if item.approved is None:
        return Qt.CheckState.PartiallyChecked
    return Qt.CheckState.Checked if item.approved else Qt.CheckState.Unchecked
