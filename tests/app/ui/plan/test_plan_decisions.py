"""Decisions on rows that need one another, taken back, and rows in another order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from pointing import point
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from agent.plan.order import needed
from agent.plan.plan import Step
from app.ui.plan.columns import PlanColumn
from app.viewmodels.plan.decisions import moved, obstacle

if TYPE_CHECKING:
    Reviewed = Any

NOTE = {"n": 60, "s": 0, "d": 1, "v": 90}
ROWS = (
    Step("s1", "set_tempo", {"bpm": 84.0}, group="Frame"),
    Step("s2", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
    Step("s3", "create_midi_clip", {"track_id": "{{s2.track_id}}", "start_time": 0, "duration": 4, "notes": [NOTE]},
         group="Harmony"),
    Step("s4", "set_loudness", {"target": -18.0}, group="Mix"),
)


def order(one: Reviewed) -> list[str]:
    return [step.id for step in one.proposal.judged.plan.steps]


def at(one: Reviewed, step: str, column: PlanColumn = PlanColumn.NUMBER) -> QPoint:
    return one.panel.view.visualRect(one.panel.model.row_index(step, column)).center()


def test_rows_that_need_a_rejected_one_can_be_rejected_too_and_taken_back_in_one_go(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        QTest.mouseClick(one.panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at(one, "s2", PlanColumn.CHECK))
        await one.settle()
        assert (one.text("s3"), one.panel.notice.text) == (
            "Needs step 2", "Step 3 needs step 2 and will not run.",
        )
        QTest.mouseClick(one.panel.notice.answers[0], Qt.MouseButton.LeftButton)
        await one.settle()
        assert (one.text("s2"), one.text("s3")) == ("Rejected", "Rejected")
        QTest.keyClick(one.panel.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await one.settle()
        assert (one.text("s2"), one.text("s3")) == ("Rejected", "Needs step 2")
        QTest.keyClick(one.panel.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await one.settle()
        assert one.proposal.decisions == ()
        assert one.opened.reviewing.history.undo.value == ""
        QTest.keyClick(one.panel.view, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
        await one.settle()
        assert one.text("s2") == "Rejected"

    told(story)


def test_the_keyboard_is_in_the_table_after_an_answer_in_the_strip(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        one.panel.activateWindow()
        await one.opened.reviewing.reject(["s4"])
        one.panel.decisions.reject(["s2"])
        await one.until(lambda: bool(one.panel.notice.text))
        answer = one.panel.notice.answers[0]
        answer.setFocus()
        assert answer.hasFocus()
        QTest.keyClick(answer, Qt.Key.Key_Space)
        await one.settle()
        assert one.panel.view.hasFocus()

    told(story)


def test_a_row_moves_by_keys_into_the_next_group_and_back_with_one_undo(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        tester = QAbstractItemModelTester(one.panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        await one.propose(ROWS)
        before = one.proposal.judged.plan.hash
        one.panel.view.setCurrentIndex(one.panel.model.row_index("s1", PlanColumn.STEP))
        for expected in (["s1", "s2", "s3", "s4"], ["s2", "s1", "s3", "s4"], ["s2", "s3", "s1", "s4"]):
            QTest.keyClick(one.panel.view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
            await one.settle()
            assert order(one) == expected
            assert one.panel.view.step() == "s1"
        row = one.panel.model.row_at(one.panel.model.row_index("s1"))
        assert (row.facts.number, row.facts.group) == (3, "Harmony")
        assert one.proposal.judged.plan.hash not in ("", before)
        QTest.keyClick(one.panel.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await one.settle()
        assert order(one) == ["s2", "s1", "s3", "s4"]
        await one.run()
        assert one.panel.badge.value == "4/4"
        assert tester is not None

    told(story)


def test_a_dragged_row_cannot_cross_one_that_needs_it(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        view = one.panel.view.viewport()
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at(one, "s2"))
        point(view, at(one, "s3") + QPoint(0, 8), pressed=True)
        point(view, at(one, "s4") + QPoint(0, 8), pressed=True)
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(one, "s4") + QPoint(0, 8))
        await one.settle()
        assert order(one) == ["s1", "s2", "s3", "s4"]
        assert one.panel.notice.text == "Step 3 needs step 2, so they keep their order."
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at(one, "s4"))
        point(view, at(one, "s3") - QPoint(0, 8), pressed=True)
        point(view, at(one, "s1") - QPoint(0, 8), pressed=True)
        QTest.keyClick(one.panel.view, Qt.Key.Key_Escape)
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(one, "s1") - QPoint(0, 8))
        await one.settle()
        assert order(one) == ["s1", "s2", "s3", "s4"]
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at(one, "s4"))
        point(view, at(one, "s3") - QPoint(0, 8), pressed=True)
        point(view, at(one, "s1") - QPoint(0, 8), pressed=True)
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(one, "s1") - QPoint(0, 8))
        await one.settle()
        assert order(one) == ["s4", "s1", "s2", "s3"]

    told(story)


@given(st.lists(st.frozensets(st.integers(0, 7), max_size=2), min_size=2, max_size=8), st.data())
def test_a_move_that_is_allowed_never_turns_a_need_round(sources: list[frozenset[int]], data: st.DataObject) -> None:
    steps = [
        Step(f"r{n}", "x", {}, after=tuple(f"r{one}" for one in sorted(needs) if one < n))
        for n, needs in enumerate(sources)
    ]
    step, beside = data.draw(st.sampled_from(steps)).id, data.draw(st.sampled_from(steps)).id
    below = data.draw(st.booleans())
    after = moved(steps, step, beside, below=below)
    assert sorted(one.id for one in after) == sorted(one.id for one in steps)
    places = {one.id: n for n, one in enumerate(after)}
    whole = all(places[source] < places[one.id] for one in steps for source in needed(one))
    assert whole == (obstacle(steps, step, beside, below=below) == "")
