"""The rings of rows that run, turning in the plan's table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer

from app.desktop.steps.row_states import Mark
from app.desktop.table.plan_rows import PlanGroup
from app.ui.plan.model import PlanModel

if TYPE_CHECKING:
    # The table owns its rings.
    from app.ui.plan.view import PlanView

_EVERY_MS = 40
_TURNS = 25
"""Steps of one time round."""


class Rings(QObject):
    """Paints the rings in sight alone, not thirty rows for one of them."""

    def __init__(self, view: PlanView, model: PlanModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self._turn)

    def turn(self, on: bool) -> None:
        """Let them turn, while a run goes on."""
        if on != self._timer.isActive():
            (self._timer.start if on else self._timer.stop)()

    def _turn(self) -> None:
        view = self._view
        view.cells.turn = (view.cells.turn + 1 / _TURNS) % 1
        index = view.indexAt(QPoint(1, 0))
        while index.isValid() and view.visualRect(index).top() < view.viewport().height():
            item = self._model.item(index)
            mark = item.mark if isinstance(item, PlanGroup) else None if item is None else item.standing.mark
            if mark is Mark.RUNNING:
                view.repaint_row(index)
            index = view.indexBelow(index)
