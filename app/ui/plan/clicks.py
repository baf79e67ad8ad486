"""Clicks on the plan's table, turned into wishes; those on nothing but a row are Qt's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint

from app.desktop.table.plan_rows import PlanGroup, PlanRow
from app.desktop.table.row_items import PlanItem
from app.ui.plan.cell_parts import Part
from app.ui.plan.columns import Column
from app.ui.plan.model import PlanModel

if TYPE_CHECKING:
    # The table has its own clicks.
    from app.ui.plan.view import PlanView


class PlanClicks:
    """Boxes, carets, icons and previews."""

    def __init__(self, view: PlanView, model: PlanModel) -> None:
        self._view = view
        self._model = model

    def single(self, at: QPoint) -> bool:
        """Do what a click there means; False where it only chooses a row."""
        index, item, part = self._under(at)
        if item is None or part is Part.ROW:
            return False
        if part is Part.CARET:
            self._fold(item, index)
        else:
            self._view.setCurrentIndex(index)
            self._act(part, index, item.id if isinstance(item, PlanRow) else "")
        return True

    def double(self, at: QPoint) -> bool:
        """Edit a row; False on everything that a single click works, where it is a second click."""
        _, item, part = self._under(at)
        if not isinstance(item, PlanRow) or part not in (Part.ROW, Part.NOTES):
            return False
        (self._view.edit_asked if part is Part.ROW else self._view.roll_asked).emit(item.id)
        return True

    def draggable(self, at: QPoint) -> str:
        """The step whose row is held there by its number; empty for none."""
        index, item, _ = self._under(at)
        held = isinstance(item, PlanRow) and index.column() == Column.NUMBER and not self._model.table.run
        return item.id if held and isinstance(item, PlanRow) else ""

    def _under(self, at: QPoint) -> tuple[QModelIndex, PlanRow | PlanGroup | PlanItem | None, Part]:
        index = self._view.indexAt(at)
        item = self._model.item(index) if index.isValid() else None
        if item is None:
            return index, None, Part.ROW
        area = self._view.visualRect(index)
        return index, item, self._view.cells.part(item, Column(index.column()), area, at.x(), at.y())

    def _fold(self, item: PlanRow | PlanGroup | PlanItem, index: QModelIndex) -> None:
        view = self._view
        if isinstance(item, PlanRow):
            view.unfold(item.id, item.id not in view.cells.unfolded)
        else:
            view.setExpanded(index, not view.isExpanded(index))

    def _act(self, part: Part, index: QModelIndex, step: str) -> None:
        view = self._view
        match part:
            case Part.CHECK:
                view.toggle(index)
            case Part.EDIT:
                view.edit_asked.emit(step)
            case Part.HEAR:
                view.hear_asked.emit(step)
            case Part.FIX:
                view.fix_asked.emit(step)
            case Part.NOTES:
                view.notes_asked.emit(step)
            case Part.RETRY:
                view.retry_asked.emit()
