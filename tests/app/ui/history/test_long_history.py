"""Thousands of iterations: listed slice by slice, found wherever they stand."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QWidget

from agent.song.ids import IterationId, ProjectId
from agent.song.revision import ContentHash
from app.storage.records import Iteration
from app.ui.history.model import HistoryModel
from app.ui.history.rows import HistoryState, history_rows
from app.ui.history.version_list import VersionList
from app.ui.kit.context import Kit


def rows_of(count: int):  # type: ignore[no-untyped-def]
    made = [
        Iteration(
            IterationId(f"i{number}"), ProjectId("p"), ContentHash("r"), "ai_iteration", "local",
            parent=None if number == 1 else IterationId(f"i{max(1, number - 1 - number % 7 // 6)}"), number=number,
            label=f"Change {number}", created="2026-11-22T10:00:00Z",
        )
        for number in range(1, count + 1)
    ]
    return history_rows(HistoryState(made[::-1], IterationId(f"i{count}")))


@pytest.fixture
def model(qapp: object) -> HistoryModel:
    return HistoryModel()


def tried(model: HistoryModel) -> None:
    """Qt's own test of a model as it is now; it fetches on its own, which it cannot bear within a change."""
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    shiboken6.delete(tester)


def test_the_list_takes_slices_and_a_search_takes_what_it_needs(model: HistoryModel) -> None:
    model.show_rows(rows_of(5000))
    assert model.rowCount() < 500
    tried(model)
    assert model.rowCount() < 1000
    assert model.canFetchMore(QModelIndex())
    index = model.index_of(IterationId("i100"))
    assert index.row() == 4900
    assert model.data(index) == "Change 100"
    while model.canFetchMore(QModelIndex()):
        model.fetchMore(QModelIndex())
    assert model.rowCount() == 5000


def test_a_new_iteration_comes_on_top_and_nothing_else_is_made_anew(model: HistoryModel) -> None:
    rows = rows_of(1001)
    model.show_rows(rows[1:])
    tried(model)
    before = model.rowCount()
    seen: list[tuple[str, int, int]] = []
    model.rowsInserted.connect(lambda _, first, last: seen.append(("inserted", first, last)))
    model.modelReset.connect(lambda: seen.append(("reset", 0, 0)))
    model.show_rows(rows)
    assert seen == [("inserted", 0, 0)]
    assert model.rowCount() == before + 1
    tried(model)
    assert model.data(model.index(0)) == "Change 1001"


def test_scrolling_to_the_end_shows_the_first_iteration(model: HistoryModel, kit: Kit) -> None:
    window = QWidget()
    window.resize(292, 600)
    shown = VersionList(model, kit, window)
    shown.resize(292, 600)
    window.show()
    model.show_rows(rows_of(1500))
    for _ in range(40):
        shown.scrollToBottom()
        if not model.canFetchMore(QModelIndex()):
            break
        shown.viewport().grab()
        model.fetchMore(QModelIndex())
    shown.scrollToBottom()
    last = shown.indexAt(shown.viewport().rect().bottomLeft())
    assert model.data(last if last.isValid() else model.index(1499), Qt.ItemDataRole.DisplayRole) == "Change 1"
    window.close()
    window.deleteLater()
