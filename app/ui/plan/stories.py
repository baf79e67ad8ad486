"""The opened rows of a run that needs the person."""

from __future__ import annotations

from collections.abc import Callable

from app.desktop.plan_rows import PlanRow, PlanTable
from app.desktop.row_states import Standing
from app.ui.plan.look import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.story import Story
from app.ui.plan.view import PlanView

MAX_OPEN = 12
"""Rows that are opened by themselves; more would hide the plan."""


def needing(table: PlanTable) -> tuple[str, ...]:
    """The rows to open, in the order of the plan."""
    return tuple(row.id for row in table.rows if table.run and row.standing.mark.bad)[:MAX_OPEN]


class Stories:
    """Keeps one story under each of those rows; `connect` joins a new one to what its buttons do."""

    def __init__(self, view: PlanView, model: PlanModel, look: Look, connect: Callable[[str, Story], None]) -> None:
        self._view = view
        self._model = model
        self._look = look
        self._connect = connect
        self._shown: dict[str, tuple[Standing, Story]] = {}
        model.modelReset.connect(self._shown.clear)

    def show(self, rows: dict[str, PlanRow], *, running: bool) -> None:
        """Put a story under each of the rows, which the model has opened before."""
        for gone in self._shown.keys() - rows.keys():
            del self._shown[gone]
        for step, row in rows.items():
            known = self._shown.get(step)
            if known is None or known[0] != row.standing:
                story = Story(row, self._look, last_try=False)
                self._connect(step, story)
                self._view.setIndexWidget(self._model.story_index(step), story)
                self._shown[step] = (row.standing, story)
            self._shown[step][1].allow(not running)

    def first(self) -> Story | None:
        """The story that comes first in the plan."""
        return next((story for _, story in self._shown.values()), None)
