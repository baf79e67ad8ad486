"""A table of a report as Qt sees it: the first rows or all, with bars behind the numbers that they show."""

from __future__ import annotations

from typing import TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.i18n import tr
from app.ui.kit.widgets.labels import plain_tip
from app.viewmodels.chat.report_tables import ReportTable

Index: TypeAlias = QModelIndex | QPersistentModelIndex
BAR = Qt.ItemDataRole.UserRole + 1
"""Role: length of a cell's bar, 0 to 1 of the longest."""
FAILED = Qt.ItemDataRole.UserRole + 2
"""Role: whether the row is about something that failed."""
FIRST = 8
"""Number of rows that are shown at first."""
_NO_INDEX = QModelIndex()


class ReportModel(QAbstractTableModel):
    """A table of a report: its first rows, or after `show_all` all of them."""

    def __init__(self, table: ReportTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self._shown = min(FIRST, len(table.cells))

    @property
    def hidden(self) -> int:
        """Number of rows that are not shown."""
        return len(self.table.cells) - self._shown

    def show_all(self) -> None:
        """Show every row."""
        if self.hidden:
            self.beginInsertRows(QModelIndex(), self._shown, len(self.table.cells) - 1)
            self._shown = len(self.table.cells)
            self.endInsertRows()

    def show_first(self) -> None:
        """Show only the first rows again."""
        if self._shown > FIRST:
            self.beginRemoveRows(QModelIndex(), FIRST, self._shown - 1)
            self._shown = FIRST
            self.endRemoveRows()

    def is_bar(self, column: int) -> bool:
        """Whether this column of the model is the one with bar graphics."""
        return bool(self.table.bars) and column == self.table.bar_place

    def cell(self, column: int) -> int:
        """The report's column for a column of the model other than the one with bar graphics."""
        return column - (bool(self.table.bars) and column > self.table.bar_place)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 - Qt's name
        """Number of rows that are shown."""
        return 0 if parent.isValid() else self._shown

    def columnCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 - Qt's name
        """The report's columns, and one more for bar graphics if there are any."""
        return 0 if parent.isValid() else len(self.table.columns) + bool(self.table.bars)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Names of the columns."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        bar = self.is_bar(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return "" if bar else self.table.columns[self.cell(section)]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("Bar of {what}", what=self.table.bars_of) if bar else self.table.columns[self.cell(section)]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _align(not bar and self.cell(section) in self.table.numbers)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text of a cell, to be shown as plain text, and the roles `BAR` and `FAILED`."""
        if not index.isValid() or index.row() >= self._shown or index.column() >= self.columnCount():
            return None
        row, column = index.row(), index.column()
        if role == FAILED:
            return row in self.table.failed
        if self.is_bar(column):
            return self._bar(row, role)
        column = self.cell(column)
        text = self.table.cells[row][column]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            failed = tr("Failed. ") if row in self.table.failed and column == 0 else ""
            return f"{failed}{self.table.columns[column]}: {text or tr('not known')}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(text) if text else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _align(column in self.table.numbers)
        return None

    def _bar(self, row: int, role: int) -> object:
        share = self.table.bars[row]
        if role == BAR:
            return share
        if role == Qt.ItemDataRole.AccessibleTextRole and share is not None:
            return tr("{share} of the largest", share=f"{share:.0%}")
        return None


def _align(number: bool) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignRight if number else Qt.AlignmentFlag.AlignLeft)
