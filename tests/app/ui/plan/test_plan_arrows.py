"""The arrow keys walk through the rows and the lines of the groups, from whichever cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agent.plan.plan import Step
from app.ui.plan.columns import PlanColumn

if TYPE_CHECKING:
    Reviewed = Any

ROWS = tuple(Step(f"s{n}", "set_tempo", {"bpm": 80.0 + n}, group="Frame" if n < 3 else "Mix") for n in range(1, 5))


def place(one: Reviewed) -> tuple[int, int]:
    index = one.panel.view.currentIndex()
    return (index.row(), -1) if not index.parent().isValid() else (index.parent().row(), index.row())


@pytest.mark.parametrize("column", [PlanColumn.CHECK, PlanColumn.STEP, PlanColumn.PREVIEW])
def test_down_and_up_pass_the_line_of_a_group_from_every_cell(told: Callable[..., None], column: PlanColumn) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        one.panel.view.setCurrentIndex(one.panel.model.row_index("s1", column))
        down = []
        for _ in range(4):
            QTest.keyClick(one.panel.view, Qt.Key.Key_Down)
            await one.settle()
            down.append(place(one))
        assert down == [(0, 1), (1, -1), (1, 0), (1, 1)]
        up = []
        for _ in range(5):
            QTest.keyClick(one.panel.view, Qt.Key.Key_Up)
            await one.settle()
            up.append(place(one))
        assert up == [(1, 0), (1, -1), (0, 1), (0, 0), (0, -1)]

    told(story)
