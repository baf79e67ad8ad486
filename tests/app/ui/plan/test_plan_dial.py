"""The dial of how far a plan goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agent.plan.plan import Step

if TYPE_CHECKING:
    Reviewed = Any

ROWS = (
    Step("s1", "set_tempo", {"bpm": 100.0}),
    Step("s2", "set_loudness", {"target": -20.0}),
    Step("s3", "create_track", {"name": "Pad", "instrument": "pad_warm"}),
)


def test_values_go_only_so_far_as_one_decision_and_those_by_hand_stay(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        song, dial = one.opened.workspace.song, one.panel.top.dial
        assert "2 of 3 steps" in dial.toolTip()
        await one.opened.reviewing.change("s2", {"target": -16.0})
        await one.settle()
        assert "1 of 3 steps" in dial.toolTip()
        dial.slider.setFocus()
        for _ in range(2):
            QTest.keyClick(dial.slider, Qt.Key.Key_PageDown)
        assert dial.slider.value() == 50
        dial._tell()
        await one.settle()
        half = (100.0 + song.tempos[0].bpm) / 2
        assert (one.proposal.inputs("s1")["bpm"], one.proposal.inputs("s2")["target"]) == (half, -16.0)
        assert one.opened.reviewing.history.undo.value == "How far: 50 %"
        dial.slider.setValue(100)
        dial._tell()
        await one.settle()
        assert (set(one.proposal.changes), one.proposal.inputs("s1")["bpm"]) == ({"s2"}, 100.0)
        await one.opened.reviewing.undo()
        await one.settle()
        assert dial.slider.value() == 50

    told(story)


def test_undo_at_the_dial_takes_back_where_it_was_turned_to(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        slider, control = one.panel.top.dial.slider, Qt.KeyboardModifier.ControlModifier
        slider.setFocus()
        QTest.keyClick(slider, Qt.Key.Key_PageDown)
        one.panel.top.dial._tell()
        await one.settle()
        QTest.keyClick(slider, Qt.Key.Key_Z, control)
        await one.settle()
        assert (slider.value(), one.proposal.changes) == (100, {})
        QTest.keyClick(slider, Qt.Key.Key_Y, control)
        await one.settle()
        assert slider.value() == 75
        QTest.keyClick(one.panel.footer.proposed.hear_button, Qt.Key.Key_Z, control)
        await one.settle()
        assert slider.value() == 100
        # With nothing to take back it is the window's: the song's undo.
        override = QKeyEvent(QKeyEvent.Type.ShortcutOverride, Qt.Key.Key_Z, control)
        override.ignore()
        QApplication.sendEvent(slider, override)
        assert not override.isAccepted()

    told(story)


def test_a_plan_without_values_has_no_dial(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS[2:])
        assert not one.panel.top.dial.slider.isEnabled()
        assert "None of its steps" in one.panel.top.dial.toolTip()

    told(story)
