"""What clicks on the plan's table mean; those on nothing but a row are Qt's."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex

from app.desktop.table.plan_rows import PlanGroup, PlanRow
from app.desktop.table.row_items import PlanItem
from app.ui.plan.cell_parts import Part
from app.ui.plan.columns import Column
from app.ui.plan.table_actions import Ask, FoldGroup, TableAction, Toggle, Unfold, Wish

_WISHES: dict[Part, Wish] = {
    Part.EDIT: "edit", Part.HEAR: "hear", Part.FIX: "fix", Part.NOTES: "notes", Part.RETRY: "retry",
}


@dataclass(frozen=True)
class Spot:
    """A place in the table: the cell that lies there, what it shows, and which part of it is met."""

    index: QModelIndex
    item: PlanRow | PlanGroup | PlanItem | None
    part: Part


def clicked(spot: Spot, unfolded: Container[str]) -> TableAction | None:
    """What a click means; None where it only chooses a row. Under `unfolded` rows their items are shown."""
    item, part = spot.item, spot.part
    if item is None or part is Part.ROW:
        return None
    if part is Part.CARET:
        return Unfold(item.id, item.id not in unfolded) if isinstance(item, PlanRow) else FoldGroup(spot.index)
    if part is Part.CHECK:
        return Toggle(spot.index)
    return Ask(_WISHES[part], (item.id,) if isinstance(item, PlanRow) else ())


def double_clicked(spot: Spot) -> Ask | None:
    """A row is edited, or its clip seen; None on everything that a single click works, where it is a second click."""
    if not isinstance(spot.item, PlanRow) or spot.part not in (Part.ROW, Part.NOTES):
        return None
    return Ask("edit" if spot.part is Part.ROW else "roll", (spot.item.id,))


def held(spot: Spot) -> str:
    """The step whose row is held there by its number; empty for none."""
    by_number = isinstance(spot.item, PlanRow) and spot.index.column() == Column.NUMBER
    return spot.item.id if by_number and isinstance(spot.item, PlanRow) else ""
