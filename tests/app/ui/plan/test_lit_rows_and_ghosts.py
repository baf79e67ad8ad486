"""Rows and their ghosts light each other, without being chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pointing import point
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agent.plan.plan import Step
from app.ui.plan.columns import PlanColumn
from app.ui.timeline.view import TimelineView

if TYPE_CHECKING:
    Reviewed = Any

NOTE = {"n": 60, "s": 0, "d": 1, "v": 90}
ROWS = (
    Step("s1", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
    Step("s2", "create_midi_clip", {"track_id": "{{s1.track_id}}", "start_time": 0, "duration": 16, "notes": [NOTE]}),
    Step("s3", "create_midi_clip", {"track_id": "{{s1.track_id}}", "start_time": 16, "duration": 16, "notes": [NOTE]}),
)


def test_the_pointer_lights_both_sides_and_chooses_nothing(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        timeline = TimelineView(one.opened, one.kit)
        one.panel.move(0, 600)
        timeline.resize(1100, 300)
        timeline.move(0, 0)
        timeline.show()
        await one.propose(ROWS)
        focus, axis, scene = one.opened.focus, timeline.stage.axis, timeline.stage.scene
        ghost = next(ghost for ghost in scene.lanes[0].ghosts if ghost.cause.step == "s3")
        point(timeline.viewport(), QPoint(round(axis.x(ghost.clip.start)) + 20, axis.row_top(0) + 20))
        assert (focus.hovered.value, focus.step.value, focus.clips.value) == ({"s3"}, None, frozenset())
        number = one.panel.view.visualRect(one.panel.model.row_index("s3", PlanColumn.NUMBER))
        badge = QColor(one.kit.theme.tokens.agent_fill).rgb()
        image = one.panel.view.viewport().grab().toImage()
        assert any(image.pixel(x, number.center().y() - 5) == badge for x in range(number.left(), number.right()))
        QApplication.sendEvent(timeline.viewport(), QEvent(QEvent.Type.Leave))
        timeline.leaveEvent(QEvent(QEvent.Type.Leave))
        assert focus.hovered.value == frozenset()
        row = one.panel.view.visualRect(one.panel.model.row_index("s2", PlanColumn.STEP)).center()
        point(one.panel.view.viewport(), row)
        lit = {ghost.cause.step for ghost in scene.lanes[0].ghosts if timeline.stage.lit(ghost.cause)}
        assert lit == {"s2"}
        group = one.panel.view.visualRect(one.panel.model.index(0, 0)).center()
        point(one.panel.view.viewport(), group)
        assert focus.hovered.value == {"s1", "s2", "s3"}
        one.panel.view.leaveEvent(QEvent(QEvent.Type.Leave))
        one.panel.view.setCurrentIndex(one.panel.model.row_index("s3", PlanColumn.STEP))
        QTest.keyClick(one.panel.view, Qt.Key.Key_Up)
        assert {ghost.cause.step for ghost in scene.lanes[0].ghosts if timeline.stage.lit(ghost.cause)} == {"s2"}
        timeline.close_view()
        timeline.close()
        timeline.deleteLater()

    told(story)
