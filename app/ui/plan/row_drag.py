"""Dragging a row by its number to another place of the plan."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from app.ui.plan.look import Look

_LINE = 2
_LEFT, _PAD = 70, 8


class RowDrag:
    """From a press on a row's number to its release; `obstacle` says why the row cannot stand at a place."""

    def __init__(self, look: Look, step: str, at: QPoint, obstacle: Callable[[str, str, bool], str]) -> None:
        self._look = look
        self._step = step
        self._from = at
        self._obstacle = obstacle
        self._begun = False
        self._target: tuple[str, bool] | None = None
        self._refusal = ""

    def move(self, at: QPoint, target: tuple[str, bool] | None) -> bool:
        """The pointer is there, over the row of a step, and in its lower half or not; tells whether that is new."""
        if not self._begun and (at - self._from).manhattanLength() < QApplication.startDragDistance():
            return False
        self._begun = True
        if target is None or target == self._target:
            return False
        self._target = target
        self._refusal = self._obstacle(self._step, *target)
        return True

    @property
    def cursor(self) -> Qt.CursorShape:
        """The pointer's shape: whether the row can be let go."""
        return Qt.CursorShape.ForbiddenCursor if self._refusal else Qt.CursorShape.ClosedHandCursor

    @property
    def beside(self) -> str:
        """The step beside which the row would come to lie; empty for none."""
        return "" if self._target is None else self._target[0]

    def let_go(self) -> tuple[str, str, bool] | None:
        """The row, the one beside which it was let go, and whether below; None for nowhere."""
        if self._target is None or self._target[0] == self._step:
            return None
        return self._step, *self._target

    def paint(self, painter: QPainter, row: QRect, width: int) -> None:
        """A line at the row beside which it would come to lie, over the table's width; broken where it cannot."""
        if self._target is None:
            return
        y = row.bottom() if self._target[1] else row.top() - 1
        color = self._look.color("bad" if self._refusal else "you")
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
