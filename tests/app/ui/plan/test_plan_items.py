"""Items of a row that goes through a list: folded under it, each with its state, and run again with their row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from racks import DISKS, RackService

from agent.plan.ledger import StepState
from agent.plan.plan import Step
from app.ui.plan.columns import PlanColumn
from app.ui.plan.model import ROW, PlanModel
from app.ui.plan.table_actions import action_areas, items_area
from app.viewmodels.plan.row_previews import Target
from app.viewmodels.plan.row_states import ItemProgress, RowMark, RowProgress, Standing
from app.viewmodels.plan.rows import PlanGroup, PlanItem, PlanRow, PlanTable, RowFacts, again, again_words, item_at

if TYPE_CHECKING:
    Reviewed = Any

LEFT = Qt.MouseButton.LeftButton
PLAN = (
    Step("first", "set_tempo", {"bpm": 84.0}, group="Frame"),
    *(replace(step, group="Machines") for step in DISKS),
    Step("last", "create_track", {"name": "Pad", "instrument": "pad_warm"}, group="Frame", after=("first",)),
)


def loop_row(states: dict[int, StepState], of: int, mark: RowMark = RowMark.RUNNING) -> PlanRow:
    step = Step("loop", "disk_free", for_each="{{which.items}}")
    facts = RowFacts(step, 1, "Look at disks", "Rows", "", "rack", Target("–"))
    items = {place: ItemProgress(state, name=f"machine m{place}") for place, state in states.items()}
    return PlanRow(facts, Standing(mark, "…"), True, progress=RowProgress(items=items, of=of))


def shown(*rows: PlanRow) -> PlanTable:
    return PlanTable((PlanGroup("Rows", rows, "", True),), run=True)


def items_of(model: PlanModel, step: str) -> list[PlanItem]:
    place = model.row_index(step)
    under = [model.index(at, 0, place).data(ROW) for at in range(model.rowCount(place))]
    return [one for one in under if isinstance(one, PlanItem)]


def test_items_unfold_by_key_and_mouse_with_their_states_and_run_again_with_their_row(
    told: Callable[..., None],
) -> None:
    async def story(one: Reviewed) -> None:
        rack = RackService(*(f"studio-{at}" for at in range(12)), down=("studio-3", "studio-7"))
        one.opened.studio.registry.adopt(rack)
        tester = QAbstractItemModelTester(one.panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        await one.propose(PLAN)
        await one.run()
        view, model = one.panel.view, one.panel.model
        assert items_of(model, "disks") == [], "folded until a person wants to see them"
        view.setCurrentIndex(model.row_index("disks", PlanColumn.STEP))
        QTest.keyClick(view, Qt.Key.Key_Right)
        told_items = items_of(model, "disks")
        assert [item.standing.mark for item in told_items].count(RowMark.DONE) == 10
        assert [(item.words, item.standing.reason) for item in told_items if item.standing.mark.bad] == [
            ("machine studio-3", "the connection was refused"), ("machine studio-7", "the connection was refused"),
        ]
        assert all(item.standing.seconds is not None for item in told_items)
        QTest.keyClick(view, Qt.Key.Key_Left)
        assert items_of(model, "disks") == []
        cell = view.visualRect(model.row_index("disks", PlanColumn.STEP))
        QTest.mouseClick(view.viewport(), LEFT, pos=items_area(cell).center())
        assert len(items_of(model, "disks")) == 12
        assert "Retry runs items 4 and 8 again. The 10 that are done stay." in one.panel.rows.story("disks").words[2]
        rack.down, rack.asked = ("studio-7",), []
        again_cell = view.visualRect(model.item_index("disks", 3).siblingAtColumn(PlanColumn.ACTIONS))
        QTest.mouseClick(view.viewport(), LEFT, pos=action_areas(again_cell)[1].center())
        await one.settle()
        assert sorted(rack.asked) == ["studio-3", "studio-7"], "what is done is not run again"
        marks = [item.standing.mark for item in items_of(model, "disks")]
        assert (marks[3], marks[7]) == (RowMark.DONE, RowMark.FAILED), "the items stay unfolded"
        view.setCurrentIndex(model.item_index("disks", 7).siblingAtColumn(PlanColumn.STEP))
        assert view.step() == "disks"
        QTest.keyClick(view, Qt.Key.Key_Left)
        QTest.keyClick(view, Qt.Key.Key_Left)
        assert (view.currentIndex(), items_of(model, "disks")) == (model.row_index("disks", PlanColumn.STEP), [])
        tester.deleteLater()

    told(story)


def test_a_failed_row_with_items_in_the_middle_can_be_edited_skipped_and_rolled_back(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        one.opened.studio.registry.adopt(RackService("studio-1", "studio-2", down=("studio-2",)))
        before = one.opened.workspace.song
        await one.propose((*PLAN, Step("after", "set_loudness", {"target": -18.0}, group="Frame", after=("disks",))))
        await one.run()
        buttons = one.panel.rows.story("disks").buttons
        assert {"edit", "retry", "skip", "roll back"} <= buttons.keys()
        assert all(button.isVisible() and button.isEnabled() for button in buttons.values())
        assert one.text("after") == "Not run"
        QTest.mouseClick(buttons["edit"], LEFT)
        assert one.panel.plan_actions.editing.form is not None
        one.panel.plan_actions.editing.form.reject()
        QTest.mouseClick(buttons["skip"], LEFT)
        await one.settle()
        assert one.text("disks") == "Skipped"
        assert [item.standing.mark for item in items_of(one.panel.model, "disks")] == [], "folded"
        assert one.text("after") == "Done"
        one.panel.plan_actions.do("roll back")
        await one.settle()
        assert one.opened.workspace.song == before

    told(story)


def test_ten_thousand_items_are_made_as_they_come_into_sight(told: Callable[..., None]) -> None:
    async def story(one: Reviewed) -> None:
        panel = one.panel
        panel._pages.setCurrentIndex(1)
        many = loop_row(dict.fromkeys(range(10_000), StepState.DONE), 10_000)
        panel.model.show(shown(many))
        panel.view.unfold("loop", True)
        assert len(items_of(panel.model, "loop")) == 200
        assert not panel.view.grab().isNull()
        bar = panel.view.verticalScrollBar()
        for _ in range(3):
            bar.setValue(bar.maximum())
        assert 200 < len(items_of(panel.model, "loop")) <= 800
        panel.model.show(shown(loop_row(dict.fromkeys(range(3), StepState.DONE), 3)))
        assert len(items_of(panel.model, "loop")) == 3

    told(story)


def test_the_list_is_told_step_by_step(qapp: object) -> None:
    model = PlanModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(shown(loop_row({0: StepState.RUNNING}, 3)))
    model.unfold("loop", True)
    changed: list[tuple[int, int]] = []

    def tell(first: QModelIndex, last: QModelIndex, *_: object) -> None:
        if model.is_below(first):
            changed.append((first.row(), last.row()))

    model.dataChanged.connect(tell)
    model.show(shown(loop_row({0: StepState.RUNNING, 2: StepState.FAILED}, 3)))
    assert changed == [(2, 2)], "only the item that changed"
    model.show(shown(loop_row({0: StepState.DONE, 2: StepState.FAILED}, 3, RowMark.FAILED)), ["loop"])
    place = model.row_index("loop")
    assert model.item(model.index(0, 0, place)) is None, "the story of what failed"
    assert [item.standing.text for item in items_of(model, "loop")] == ["Done", "Not run", "Failed"]
    assert model.index(2, 0, place).data(Qt.ItemDataRole.AccessibleTextRole) == "Item 2 of 3 of step 1, Item 2, Not run"
    model.show(shown(loop_row({0: StepState.DONE, 2: StepState.FAILED}, 3, RowMark.FAILED)))
    assert model.item(model.index(0, 0, place)) is not None, "no story any more"
    model.unfold("loop", False)
    assert (model.rowCount(place), model.hasChildren(place)) == (0, False)
    assert model.index(0, 0, QModelIndex()).isValid()
    tester.deleteLater()
    model.deleteLater()


STATES = st.sampled_from([
    StepState.WAITING, StepState.RUNNING, StepState.DONE, StepState.FAILED, StepState.NEEDS_REVIEW, StepState.NOT_RUN,
])


@given(st.lists(st.tuples(st.dictionaries(st.integers(0, 12), STATES), st.integers(0, 13), st.booleans(),
                          st.booleans()), max_size=6))
@settings(max_examples=40)
def test_whatever_is_told_of_items_the_model_holds(qapp: object, told: list[tuple[Any, int, bool, bool]]) -> None:
    model = PlanModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for states, of, opened, unfolded in told:
        row = loop_row(states, of)
        model.show(shown(row), ["loop"] if opened else [])
        model.unfold("loop", unfolded)
        # A row whose list is not known yet stays unfolded once it was; new items come in by the next table.
        model.show(shown(row), ["loop"] if opened else [])
        assert len(items_of(model, "loop")) == (row.item_count if "loop" in model.unfolded else 0)
    tester.deleteLater()
    model.deleteLater()


@given(st.dictionaries(st.integers(0, 8), STATES), st.integers(0, 9))
def test_retry_names_what_is_not_done(states: dict[int, StepState], of: int) -> None:
    row = loop_row(states, of, RowMark.FAILED)
    places = again(row)
    done = {place for place, state in states.items() if state is StepState.DONE}
    assert set(places) | done >= set(range(row.item_count))
    assert not set(places) & done
    assert bool(again_words(row)) is bool(places)
    assert all(item_at(row, place).standing.mark is not RowMark.WAITING for place in range(row.item_count))
