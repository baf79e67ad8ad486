"""Dragging a row by its number to another place of the plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from app.desktop.table.plan_rows import PlanRow
from app.ui.plan.look import Look

if TYPE_CHECKING:
    # The table owns its gesture.
    from app.ui.plan.view import PlanView

_LINE = 2
_LEFT, _PAD = 70, 8


class RowDrag:
    """From a press on a row's number to its release; `obstacle` says why the row cannot stand at a place."""

    def __init__(self, view: PlanView, look: Look, step: str, at: QPoint) -> None:
        self._view = view
        self._look = look
        self._step = step
        self._from = at
        self._begun = False
        self._target: tuple[str, bool] | None = None
        self._refusal = ""

    def move(self, at: QPoint, obstacle: Callable[[str, str, bool], str]) -> None:
        """The pointer is there."""
        if not self._begun and (at - self._from).manhattanLength() < QApplication.startDragDistance():
            return
        self._begun = True
        before = self._target
        self._target = self._place(at)
        if self._target == before:
            return
        self._refusal = obstacle(self._step, *self._target) if self._target is not None else ""
        self._view.setCursor(Qt.CursorShape.ForbiddenCursor if self._refusal else Qt.CursorShape.ClosedHandCursor)
        self._view.viewport().update()

    def end(self) -> tuple[str, str, bool] | None:
        """The row, the one beside which it was let go, and whether below; None for nowhere."""
        self.cancel()
        if self._target is None or self._target[0] == self._step:
            return None
        return self._step, *self._target

    def cancel(self) -> None:
        """The table looks as before."""
        self._view.unsetCursor()
        self._view.viewport().update()

    def paint(self, painter: QPainter) -> None:
        """A line where the row would come to lie; broken where it cannot."""
        if self._target is None:
            return
        place = self._view.row_place(self._target[0])
        y = place.bottom() if self._target[1] else place.top() - 1
        color = self._look.color("bad" if self._refusal else "you")
        width = self._view.viewport().width()
        step = 12 if self._refusal else width
        for left in range(0, width, step):
            painter.fillRect(QRect(left, y - _LINE // 2, step - (4 if self._refusal else 0), _LINE), color)
        if self._refusal:
            self._say(painter, y)

    def _say(self, painter: QPainter, y: int) -> None:
        """Why it cannot stand there, beside the line."""
        painter.setFont(self._look.font())
        width = painter.fontMetrics().horizontalAdvance(self._refusal) + 2 * _PAD
        plate = QRect(_LEFT, y + 3, width, painter.fontMetrics().height() + 4)
        painter.fillRect(plate, self._look.color("bad_soft"))
        painter.setPen(self._look.color("bad"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, self._refusal)

    def _place(self, at: QPoint) -> tuple[str, bool] | None:
        row = self._view.row_under(at)
        if not isinstance(row, PlanRow):
            return self._target
        return row.id, at.y() > self._view.row_place(row.id).center().y()
