"""The list of events: filtered, followed, copied, and left for the plan."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from app.storage.records import Event
from app.ui.events.filtering import Kept, as_json, as_text, words_of
from app.ui.events.model import EventColumn, EventModel
from app.ui.events.table import EventTable
from app.ui.kit.theme import Theme
from app.viewmodels.events.event_lines import EventGroup, EventLine, event_line

NUMBERS = {"a": 1, "b": 2}


def told(*stored: tuple[str, dict[str, object]]) -> list[EventLine]:
    return [
        event_line(Event(kind, json.dumps(body), "2026-01-01T10:00:00Z", number))
        for number, (kind, body) in enumerate(stored, 1)
    ]


LINES = told(
    ("RUN_CREATED", {"request": "warmer"}),
    ("STEP_STARTED", {"step": "a", "tool": "set_tempo", "inputs": {"bpm": 90}}),
    ("STEP_DONE", {"step": "a"}),
    ("STEP_STARTED", {"step": "b", "tool": "disk_space", "item": 2, "inputs": {"machine": "studio-3"}, "of": 4}),
    ("STEP_FAILED", {"step": "b", "reason": "refused", "item": 2}),
    ("MODEL_USED", {"step": "b", "tokens": 1200, "calls": 2}),
    ("RUN_FAILED", {"state": "PARTIAL", "reason": "one item failed"}),
)


def shown(lines: Sequence[EventLine], kept: Kept | None = None) -> EventModel:
    model = EventModel()
    model.show(lines, NUMBERS, kept or Kept())
    return model


def numbers_in(model: EventModel) -> list[int]:
    found = [model.line(row) for row in range(model.rowCount())]
    return [line.number for line in found if line is not None]


@pytest.mark.parametrize(("kept", "numbers"), [
    (Kept(), [1, 2, 3, 4, 5, 6, 7]),
    (Kept(EventGroup.ROWS), [2, 3, 4]),
    (Kept(EventGroup.TROUBLE), [5, 7]),
    (Kept(EventGroup.MODEL), [6]),
    (Kept(step="b"), [4, 5, 6]),
    (Kept(EventGroup.TROUBLE, "b"), [5]),
    (Kept(words=words_of("Studio-3  started")), [4]),
    (Kept(words=words_of("nowhere")), []),
])  # fmt: skip
def test_what_a_filter_keeps(kept: Kept, numbers: list[int], qapp: QApplication) -> None:
    assert numbers_in(shown(LINES, kept)) == numbers


def test_lines_that_come_go_through_the_filter(qapp: QApplication) -> None:
    lines = list(LINES[:4])
    model = shown(lines, Kept(EventGroup.TROUBLE))
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert model.rowCount() == 0
    lines += LINES[4:]
    assert model.grow() == 2
    assert numbers_in(model) == [5, 7]
    assert model.grow() == 0
    model.show(lines, NUMBERS, Kept())
    assert model.rowCount() == len(LINES)
    assert tester.failureReportingMode() is QAbstractItemModelTester.FailureReportingMode.Fatal


def test_an_event_says_its_step_by_number_and_its_item_from_one(qapp: QApplication) -> None:
    model = shown(LINES)
    words = [model.index(4, column).data() for column in EventColumn]
    assert (words[EventColumn.WHAT], words[EventColumn.ROW], words[EventColumn.ITEM], words[EventColumn.TEXT]) == \
        ("Failed", "2", "3", "refused")
    accessible = model.index(4, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert accessible == "Event 5, Failed, step 2, item 3, refused"


def test_texts_of_others_stay_one_plain_line(qapp: QApplication) -> None:
    bad = "<b>bold</b>\n\u202ereversed\x1b[31m " + "x" * 5_000
    [line] = told(("STEP_FAILED", {"step": "a", "reason": bad}))
    model = shown([line])
    text = model.index(0, EventColumn.TEXT).data()
    assert text.startswith("<b>bold</b> reversed [31m")
    assert len(text) <= 200
    assert text.isprintable()
    assert "<b>" not in model.index(0, EventColumn.TEXT).data(Qt.ItemDataRole.ToolTipRole)


def test_an_event_of_another_version_is_told_as_it_is_stored(qapp: QApplication) -> None:
    [line] = told(("STEP_ADMIRED", {"step": "a", "by": "somebody"}))
    assert (line.what, line.group) == ("Step admired", EventGroup.RUN)
    assert "somebody" in line.text


def test_copied_as_text_and_as_json() -> None:
    text = as_text(LINES[3:5], NUMBERS).splitlines()
    assert [line.split("\t")[2:5] for line in text] == [["Started", "step 2", "item 3"], ["Failed", "step 2", "item 3"]]
    [failed] = json.loads(as_json(LINES[4:5]))
    assert (failed["number"], failed["kind"], failed["reason"]) == (5, "STEP_FAILED", "refused")


@pytest.fixture
def table(theme: Theme, qapp: QApplication) -> EventTable:
    made = EventTable(shown(LINES), theme)
    made.resize(900, 200)
    made.show()
    yield made
    made.close()
    made.deleteLater()


def test_keys_copy_and_lead_to_the_step(table: EventTable) -> None:
    wanted: list[str] = []
    table.row_wanted.connect(wanted.append)
    table.setCurrentIndex(table.model().index(4, 0))
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().endswith("refused")
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert wanted == ["b"]
    table.selectionModel().select(
        table.model().index(3, 0),
        QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows,
    )
    table.copy_json()
    assert [one["number"] for one in json.loads(QGuiApplication.clipboard().text())] == [4, 5]
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert wanted == ["b"]


def test_the_newest_stays_in_sight_unless_the_person_scrolled_away(theme: Theme, qapp: QApplication) -> None:
    lines = [line for _ in range(20) for line in LINES]
    model = shown(lines)
    table = EventTable(model, theme)
    table.resize(900, 200)
    table.show()
    qapp.processEvents()
    bar = table.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    lines += LINES
    model.grow()
    qapp.processEvents()
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    lines += LINES
    model.grow()
    qapp.processEvents()
    assert bar.value() == 0
    table.close()
    table.deleteLater()


def test_five_thousand_events_are_shown_at_once_and_none_is_asked_for_that_is_out_of_sight(
    theme: Theme, qapp: QApplication
) -> None:
    asked: set[int] = set()

    class Counting(EventModel):
        def data(self, index, role=Qt.ItemDataRole.DisplayRole):  # type: ignore[no-untyped-def]
            asked.add(index.row())
            return super().data(index, role)

    model = Counting()
    table = EventTable(model, theme)
    table.resize(900, 400)
    table.show()
    model.show([line for _ in range(800) for line in LINES], NUMBERS, Kept())
    qapp.processEvents()
    assert model.rowCount() == 5_600
    assert 0 < len(asked) < 100
    table.close()
    table.deleteLater()
