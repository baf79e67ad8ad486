"""Rows rejected with a reason, asked for again, and seen while they are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from agent.plan.plan import Step
from agent.plan.planning import Revision, StepProposed
from app.ui.plan.columns import PlanColumn
from app.ui.plan.pages import DraftModel
from app.viewmodels.chat.choosing import PlannerOption
from app.viewmodels.plan.row_states import RowMark

if TYPE_CHECKING:
    Reviewed = Any

ROWS = (
    Step("s1", "set_tempo", {"bpm": 84.0}, group="Frame"),
    Step("s2", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Harmony"),
    Step("s3", "create_track", {"name": "Bass", "instrument": "bass_finger"}, group="Harmony"),
)


def choose(one: Reviewed, *steps: str) -> None:
    """Select rows, the first of them as the current one."""
    view, model = one.panel.view, one.panel.model
    view.setCurrentIndex(model.row_index(steps[0], PlanColumn.STEP))
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for step in steps[1:]:
        view.selectionModel().select(model.row_index(step, PlanColumn.STEP), flags)


def menu_of(one: Reviewed) -> dict[str, Any]:
    menu = one.panel.view.row_menu()
    found = {action.text(): action for action in menu.actions()}
    menu.deleteLater()
    return found


def test_a_row_is_rejected_with_a_reason_or_without(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        line = one.panel.line
        choose(one, "s2")
        menu_of(one)["Reject step with a reason…"].trigger()
        assert line.isVisible()
        assert "step 2" in line.accessibleName()
        QTest.keyClicks(line.field, "  too   bright ")
        QTest.keyClick(line.field, Qt.Key.Key_Return)
        await one.settle()
        assert one.proposal.rejections["s2"].reason == "too bright"
        assert line.isHidden()
        choose(one, "s3")
        one.panel.plan_actions.do("reason")
        QTest.keyClick(line.field, Qt.Key.Key_Escape)
        await one.settle()
        assert line.isHidden()
        assert set(one.proposal.rejections) == {"s2"}
        one.panel.plan_actions.do("reason")
        line.button.click()
        await one.settle()
        assert one.proposal.rejections["s3"].reason == ""

    told(story)


def test_selected_rows_are_asked_for_again_with_a_wish(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        asked: list[tuple[list[str], str]] = []

        async def again(steps: list[str], wish: str = "") -> None:
            asked.append((steps, wish))

        one.opened.asking.ask_again = again
        await one.propose(ROWS)
        choose(one, "s3", "s1")
        one.panel.plan_actions.do("again")
        assert one.panel.line.isHidden()
        assert "writes only whole plans" in one.panel.notice.text
        one.opened.choosing.chosen.set(PlannerOption("anthropic", "", "Anthropic, alpha-2"))
        menu = menu_of(one)
        assert "Reject 2 steps with a reason…" in menu
        menu["Ask again for 2 steps…"].trigger()
        assert one.panel.line.accessibleName() == "Ask again for steps 1 and 3"
        QTest.keyClicks(one.panel.line.field, "darker")
        one.panel.line.button.click()
        await one.settle()
        assert asked == [(["s1", "s3"], "darker")]
        one.panel.plan_actions.do("again")
        one.opened.asking.approving.discard()
        one.panel.refresh()
        assert one.panel.line.isHidden()

    told(story)


def test_the_whole_plan_is_asked_for_again_by_its_button(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        asked: list[str] = []

        async def afresh() -> None:
            asked.append("again")

        one.opened.asking.ask_afresh = afresh
        await one.propose(ROWS)
        one.panel.footer.proposed.again_button.click()
        await one.settle()
        assert asked == ["again"]

    told(story)


def test_rows_that_changed_are_marked_with_old_and_new(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        await one.propose(ROWS)
        plan, song = one.proposal.plan, one.opened.workspace.song
        new = Step("s4", "create_track", {"name": "Choir", "instrument": "pad_warm"}, group="Harmony")
        rows = (replace(ROWS[0], inputs={"bpm": 72.0}), ROWS[1], new)
        judged = await one.opened.studio.planning.judge(replace(plan, steps=rows), song)
        await one.opened.reviewing.renew(judged, Revision(plan, ("s1", "s3")))
        await one.settle()
        assert one.text("s1") == "Changed"
        # A mark that needs the person goes before the news, which the tooltip still tells.
        assert one.text("s4") == one.text("s2") == "Track stays empty"
        assert "New, since you asked again" in one.panel.model.row_index("s4").data(Qt.ItemDataRole.ToolTipRole)
        assert "asked again" not in one.panel.model.row_index("s2").data(Qt.ItemDataRole.ToolTipRole)
        tip = one.panel.model.row_index("s1").data(Qt.ItemDataRole.ToolTipRole)
        assert "Changed: bpm 84 → 72" in tip
        assert one.panel.model.row_at(one.panel.model.row_index("s1")).standing.mark is RowMark.CHANGED
        assert "No longer in the plan: “create track”" in one.panel.details.text()
        await one.opened.reviewing.reject(["s4"])
        await one.settle()
        assert (one.text("s1"), one.text("s4")) == ("Changed", "Rejected")

    told(story)


def test_rows_are_seen_while_they_are_written_and_cannot_be_decided(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        progress, panel = one.opened.asking._progress, one.panel
        progress.begin("Planning")
        for step in ROWS[:2]:
            progress.hear(StepProposed(step))
        await one.until(lambda: len(one.opened.asking.drafting.value) == 2)
        panel.refresh()
        assert panel._pages.currentWidget() is panel.draft
        assert panel.draft.words.text() == "Planning… 2 steps so far"
        assert panel.draft.model.index(1, 1).data() == "Create track: “Pad”, instrument pad_warm"
        panel.plan_actions.do("run")
        panel.plan_actions.do("toggle")
        await one.settle()
        assert one.opened.running.live.value is None
        progress.hear(StepProposed(ROWS[2]))
        await one.until(lambda: len(one.opened.asking.drafting.value) == 3)
        panel.refresh()
        assert panel.draft.model.rowCount() == 3
        await one.propose(ROWS)
        progress.end()
        panel.refresh()
        assert panel._pages.currentIndex() == 1
        one.opened.asking.approving.discard()
        panel.refresh()
        assert panel._pages.currentIndex() == 0

    told(story)


def test_a_draft_grows_by_its_new_rows_and_begins_anew_when_withdrawn(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        model = DraftModel(one.opened.studio.palette, one.panel)
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, one.panel)
        added: list[tuple[int, int]] = []
        resets: list[int] = []
        model.rowsInserted.connect(lambda _parent, first, last: added.append((first, last)))
        model.modelReset.connect(lambda: resets.append(model.rowCount()))
        model.show(ROWS[:1])
        model.show(ROWS[:2])
        model.show(ROWS)
        assert (resets, added) == ([1], [(1, 1), (2, 2)])
        model.show(())
        model.show(ROWS[2:])
        assert model.rowCount() == 1
        assert "Bass" in model.index(0, 1).data()

    told(story)
