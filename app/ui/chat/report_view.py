"""A run's report in the conversation: tables and texts, to be read, unfolded and copied."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.i18n import tr, trn
from app.ui.chat.details import Details
from app.ui.chat.parts import CARD_SIDE, GAP, EntryFrame, IconLabel, wrapped
from app.ui.chat.report_model import FIRST
from app.ui.chat.report_table import ReportTableView
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import FlatButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.viewmodels.chat.entries import ReportEntry
from app.viewmodels.chat.report_tables import ReportTable, as_csv, as_text, report_tables

_SHORT = 3
"""Rows up to which a table after the first is shown unfolded."""


class ReportView(EntryFrame):
    """A run's report. Its texts come from services, machines and servers and are shown as plain text."""

    def __init__(self, kit: Kit, report: ReportEntry) -> None:
        self._tables = report_tables(report.report)
        super().__init__(kit, _accessible_text(self._tables), as_text(self._tables))
        self.views: list[ReportTableView] = []
        """The tables that were made; those that are folded are made when they are opened first."""
        self._folds: list[Details] = []
        self._more: list[FlatButton] = []
        self._added = False
        frame = QFrame()
        frame.setProperty("card", "plain")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(CARD_SIDE, CARD_SIDE - 2, CARD_SIDE, CARD_SIDE - 2)
        inside.setSpacing(GAP)
        self._sections = QVBoxLayout()
        self._sections.setSpacing(GAP)
        inside.addLayout(self._sections)
        self._left = list(self._tables)
        self._soon = QTimer(self)
        self._soon.timeout.connect(self._add_next)
        self._add_next()
        copies = tr("Copy the report as text")
        self.copy_button = FlatButton(tr("Copy"), icon="copy", tip=copies, name=copies)
        self.csv_button = FlatButton(
            tr("Copy as CSV"), icon="copy", tip=tr("Copy the tables as comma-separated values"),
            name=tr("Copy the report as CSV"),
        )  # fmt: skip
        self.copy_button.clicked.connect(self.copy)
        self.csv_button.clicked.connect(self.copy_csv)
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(self.copy_button)
        row.addWidget(self.csv_button)
        row.addStretch()
        inside.addLayout(row)
        self.column.addWidget(frame)

    def copy_csv(self) -> None:
        """Copy the tables as CSV to the clipboard."""
        QGuiApplication.clipboard().setText(as_csv(self._tables))

    def activate(self) -> None:
        """Unfold all tables, or fold them if all are unfolded."""
        folds = [*(one.button for one in self._folds), *self._more]
        shut = any(not one.isChecked() for one in folds)
        for one in folds:
            one.setChecked(shut)

    def _add_next(self) -> None:
        """One table to a turn of the event loop: each takes a moment to make."""
        if self._left:
            self._add(self._sections, self._left.pop(0))
        if self._left and not self._soon.isActive():
            self._soon.start(0)
        elif not self._left:
            self._soon.stop()

    def _add(self, inside: QVBoxLayout, table: ReportTable) -> None:
        head = QHBoxLayout()
        head.setSpacing(GAP)
        head.addWidget(IconLabel(self.kit, "list-bullets" if table.columns else "info", "agent"))
        head.addWidget(ElidedLabel(table.title, size="strong"), 1)
        if table.columns:
            head.addWidget(PlainLabel(_count(table), tone="t3", size="small"))
        inside.addLayout(head)
        if not table.columns:
            inside.addWidget(wrapped(table.text))
            return
        if table.failed:
            bad = QHBoxLayout()
            bad.setSpacing(GAP)
            bad.addWidget(IconLabel(self.kit, "x-circle-fill", "bad", 12))
            failed = tr("{number} failed", number=f"{len(table.failed):,}")
            bad.addWidget(PlainLabel(failed, tone="bad", size="small"), 1)
            inside.addLayout(bad)
        if self._added and len(table.cells) > _SHORT:
            fold = Details(
                tr("Table"), tr("Show {title}", title=table.title), tr("Hide {title}", title=table.title),
                lambda: self._table(table),
            )
            self._folds.append(fold)
            inside.addWidget(fold)
        else:
            inside.addWidget(self._table(table))
        self._added = True

    def _table(self, table: ReportTable) -> QWidget:
        """A table with the ways to its other rows."""
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        view = ReportTableView(table, self.kit.theme)
        self.views.append(view)
        column.addWidget(view)
        if view.hidden_rows:
            column.addWidget(self._rest(table, view))
        if table.left_out:
            left = tr("and {number} more, which are not kept here", number=f"{table.left_out:,}")
            column.addWidget(wrapped(left, tone="t3", size="small"))
        return body

    def _rest(self, table: ReportTable, view: ReportTableView) -> FlatButton:
        """Shows the rows that are hidden at first, and hides them again."""
        more = FlatButton("", icon="caret-down")
        more.setCheckable(True)

        def turn(all_rows: bool) -> None:
            (view.show_all if all_rows else view.show_first)()
            tell(all_rows)

        def tell(all_rows: bool) -> None:
            count = FIRST if all_rows else len(table.cells)
            more.setText(tr("Show the first {number}", number=count) if all_rows
                         else tr("Show all {number}", number=f"{count:,}"))
            more.setAccessibleName(tr("Show the first rows of {title}", title=table.title) if all_rows
                                   else tr("Show all rows of {title}", title=table.title))

        tell(False)
        more.toggled.connect(turn)
        self._more.append(more)
        return more


def _count(table: ReportTable) -> str:
    count = len(table.cells) + table.left_out
    return trn("{number} row", "{number} rows", count, number=f"{count:,}")


def _accessible_text(tables: tuple[ReportTable, ...]) -> str:
    """What a screen reader says of the report as a whole."""
    said = []
    for table in tables:
        failed = tr(", {count} failed", count=len(table.failed)) if table.failed else ""
        said.append(f"{table.title}, {_count(table)}{failed}" if table.columns else f"{table.title}: {table.text}")
    return tr("Report: {what}", what="; ".join(said))
