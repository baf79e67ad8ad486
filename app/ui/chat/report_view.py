"""A run's report in the conversation: tables and texts, to be read, unfolded and copied."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.desktop.run.report_tables import ReportTable, as_csv, as_text, report_tables
from app.desktop.talk.conversation import Report
from app.ui.chat.parts import CARD_SIDE, GAP, EntryFrame, Mark, wrapped
from app.ui.chat.report_table import ReportTableView
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import FlatButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.words import tr, trn


class ReportView(EntryFrame):
    """Every text in it comes from services, machines and servers and is shown as plain words."""

    def __init__(self, kit: Kit, report: Report) -> None:
        self._tables = report_tables(report.report)
        super().__init__(kit, _spoken(self._tables), as_text(self._tables))
        self.views: list[ReportTableView] = []
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
        """The tables on the clipboard."""
        QGuiApplication.clipboard().setText(as_csv(self._tables))

    def activate(self) -> None:
        """Unfold every table."""
        for view in self.views:
            view.show_all()
        for more in self._more:
            more.hide()

    @property
    def _more(self) -> list[FlatButton]:
        return [button for button in self.findChildren(FlatButton) if button.objectName() == "more"]

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
        head.addWidget(Mark(self.kit, "list-bullets" if table.columns else "info", "agent"))
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
            bad.addWidget(Mark(self.kit, "x-circle-fill", "bad", 12))
            failed = tr("{number} failed", number=f"{len(table.failed):,}")
            bad.addWidget(PlainLabel(failed, tone="bad", size="small"), 1)
            inside.addLayout(bad)
        view = ReportTableView(table, self.kit.theme)
        self.views.append(view)
        inside.addWidget(view)
        if view.hidden_rows:
            name = tr("Show all rows of {title}", title=table.title)
            more = FlatButton(tr("Show all {number}", number=f"{len(table.cells):,}"), icon="caret-down", name=name)
            more.setObjectName("more")
            more.clicked.connect(view.show_all)
            more.clicked.connect(more.hide)
            inside.addWidget(more)
        if table.left_out:
            left = tr("and {number} more, which are not kept here", number=f"{table.left_out:,}")
            inside.addWidget(wrapped(left, tone="t3", size="small"))


def _count(table: ReportTable) -> str:
    count = len(table.cells) + table.left_out
    return trn("{number} row", "{number} rows", count, number=f"{count:,}")


def _spoken(tables: tuple[ReportTable, ...]) -> str:
    """What a screen reader says of the report as a whole."""
    said = []
    for table in tables:
        failed = tr(", {count} failed", count=len(table.failed)) if table.failed else ""
        said.append(f"{table.title}, {_count(table)}{failed}" if table.columns else f"{table.title}: {table.text}")
    return tr("Report: {what}", what="; ".join(said))
