"""Reports in the chat: tables of foreign words that can be read, unfolded and copied."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel

from agent.session.run_report import BarChart, ReportColumn, ReportSection, RunReport
from app.ui.chat.details import Details
from app.ui.chat.report_model import BAR, FIRST, ReportModel
from app.ui.chat.report_view import ReportView
from app.ui.kit.context import Kit
from app.viewmodels.chat.entries import ReportEntry
from app.viewmodels.chat.report_tables import as_csv, as_text, report_tables

DISKS = ReportSection(
    "disks", "Free disk space", columns=(ReportColumn("machine"), ReportColumn("free", "bytes"), ReportColumn("state")),
    rows=(("studio-1", 4_000_000_000, None), ("studio-2", 1_000_000_000, None), ("studio-3", None, "failed: refused")),
    bars=BarChart("machine", "free"),
)  # fmt: skip


def many(count: int) -> ReportSection:
    rows = tuple((f"studio-{n}", n * 1_000_000_000) for n in range(count))
    return ReportSection("disks", "Disks", columns=(ReportColumn("machine"), ReportColumn("free", "bytes")), rows=rows,
                   bars=BarChart("machine", "free"))


def report(*sections: ReportSection) -> ReportEntry:
    return ReportEntry(RunReport(sections))


def test_numbers_have_units_and_bars_and_what_failed_is_told() -> None:
    [table] = report_tables(RunReport((DISKS,)))
    assert table.cells[0] == ("studio-1", "4.0 GB", "")
    assert table.numbers == {1}
    assert table.bars == (1.0, 0.25, None)
    assert table.failed == {2}
    assert as_text([table]).splitlines()[-1] == "studio-3\t\tfailed: refused"


def test_a_state_that_a_machine_tells_of_itself_is_no_failure() -> None:
    section = ReportSection("s", "States", columns=(ReportColumn("state"),), rows=(("running",), ("failed over to B",)))
    [table] = report_tables(RunReport((section,)))
    assert table.failed == frozenset()


@given(st.text(max_size=30))
def test_no_word_of_others_becomes_a_formula(words: str) -> None:
    section = ReportSection(
        "s", words, columns=(ReportColumn("name"), ReportColumn("free", "bytes")), rows=((words, -1),)
    )
    rows = list(csv.reader(StringIO(as_csv(report_tables(RunReport((section,)))))))
    assert not rows[1][0].startswith(("=", "+", "-", "@", "\t", "\r"))
    assert rows[1][1].startswith(("-", "−"))


def test_the_first_rows_and_then_all(qapp: QApplication) -> None:
    [table] = report_tables(RunReport((many(200),)))
    model = ReportModel(table)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert (model.rowCount(), model.hidden) == (FIRST, 200 - FIRST)
    model.show_all()
    assert (model.rowCount(), model.hidden) == (200, 0)
    assert model.index(199, 2).data(BAR) == 1.0
    assert model.index(199, 2).data(Qt.ItemDataRole.AccessibleTextRole) == "100% of the largest"
    assert model.index(3, 1).data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    model.show_first()
    assert (model.rowCount(), model.hidden) == (FIRST, 200 - FIRST)
    assert tester is not None


def test_a_report_is_as_high_as_its_rows_and_is_copied(kit: Kit, qloop: Any, qapp: QApplication) -> None:
    view = ReportView(kit, report(many(200), ReportSection("t", "Found", text="<b>nothing</b> at all")))
    view.resize(336, 400)
    view.show()
    qapp.processEvents()
    [table] = view.views
    low = table.height()
    view.activate()
    qapp.processEvents()
    assert table.height() > low * 20
    assert table.verticalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    view.activate()
    qapp.processEvents()
    assert table.height() == low
    view.copy()
    assert "studio-199\t199.0 GB" in QGuiApplication.clipboard().text()
    rich = [label for label in view.findChildren(QLabel) if label.textFormat() != Qt.TextFormat.PlainText]
    assert [label for label in rich if label.text()] == []
    assert view.accessibleName() == "Report: Disks, 200 rows; Found: <b>nothing</b> at all"
    view.close()
    view.deleteLater()


def test_what_failed_is_said_in_words_and_spoken(kit: Kit, qloop: Any, qapp: QApplication) -> None:
    view = ReportView(kit, report(DISKS))
    assert "1 failed" in [label.text() for label in view.findChildren(QLabel)]
    [table] = view.views
    assert table.model().index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Failed. machine: studio-3"
    view.deleteLater()


def test_a_long_table_after_the_first_is_folded_until_it_is_wanted(kit: Kit, qloop: Any, qapp: QApplication) -> None:
    view = ReportView(kit, report(DISKS, many(20), many(2)))
    view.show()
    while view._left:
        qapp.processEvents()
    assert len(view.views) == 2
    [fold] = view.findChildren(Details)
    assert fold.button.accessibleName() == "Show Disks"
    fold.button.setFocus()
    QTest.keyClick(fold.button, Qt.Key.Key_Space)
    assert (len(view.views), fold.button.accessibleName()) == (3, "Hide Disks")
    table = view.views[-1]
    assert table.isVisibleTo(view)
    QTest.keyClick(fold.button, Qt.Key.Key_Space)
    assert not table.isVisibleTo(view)
    view.close()
    view.deleteLater()
