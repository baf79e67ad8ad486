"""The events as Qt sees them: a thin table over the lines that a filter keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.i18n import lazy, tr
from app.ui.events.filtering import Kept, item_words, row_words
from app.ui.kit.widgets.labels import plain_tip
from app.viewmodels.events.event_lines import EventLine

Index: TypeAlias = QModelIndex | QPersistentModelIndex
LINE = Qt.ItemDataRole.UserRole + 1
"""Role: the `EventLine` of an index."""


class EventColumn(IntEnum):
    """Columns from left to right."""

    NUMBER = 0
    TIME = 1
    WHAT = 2
    ROW = 3
    ITEM = 4
    TEXT = 5


TITLES = {
    EventColumn.NUMBER: "#",
    EventColumn.TIME: lazy("Time"),
    EventColumn.WHAT: lazy("Event"),
    EventColumn.ROW: lazy("Step"),
    EventColumn.ITEM: lazy("Item"),
    EventColumn.TEXT: lazy("What was told"),
}  # fmt: skip
_NO_INDEX = QModelIndex()


class EventModel(QAbstractTableModel):
    """A table of the events that match a filter; the list of lines is owned elsewhere and only grows, `grow` must be
    called then."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[EventLine] = ()
        self._seen = 0
        self._kept: list[EventLine] = []
        self.filter = Kept()
        self.numbers: Mapping[str, int] = {}

    def show(self, lines: Sequence[EventLine], numbers: Mapping[str, int], kept: Kept) -> None:
        """Show these lines through a filter; `numbers` maps a step's id to its number in the plan."""
        self.beginResetModel()
        self._lines, self._seen, self.numbers, self.filter = lines, len(lines), numbers, kept
        self._kept = list(lines) if kept.all else [line for line in lines if kept.keeps(line)]
        self.endResetModel()

    def grow(self) -> int:
        """Take in lines that were appended; returns how many of them match the filter."""
        new = self._lines[self._seen:]
        self._seen = len(self._lines)
        kept = [line for line in new if self.filter.keeps(line)]
        if kept:
            first = len(self._kept)
            self.beginInsertRows(QModelIndex(), first, first + len(kept) - 1)
            self._kept += kept
            self.endInsertRows()
        return len(kept)

    def line(self, row: int) -> EventLine | None:
        """The event in a row; None if there is no such row."""
        return self._kept[row] if 0 <= row < len(self._kept) else None

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 - Qt's name
        """Number of events that match the filter."""
        return 0 if parent.isValid() else len(self._kept)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802 - Qt's name
        """Number of columns, the same for every list."""
        return 0 if parent.isValid() else len(EventColumn)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return tr(TITLES[EventColumn(section)])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text of a cell, its tooltip, the event for screen readers, and the role `LINE`."""
        line = self.line(index.row()) if index.isValid() else None
        if line is None:
            return None
        if role == LINE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(line, EventColumn(index.column()))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(line.text) if line.text and index.column() == EventColumn.TEXT else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = (line.what, row_words(line, self.numbers), item_words(line), line.text)
            return tr("Event {number}, {join}", number=line.number, join=', '.join(part for part in said if part))
        return None

    def _words(self, line: EventLine, column: EventColumn) -> str:
        match column:
            case EventColumn.NUMBER:
                return str(line.number)
            case EventColumn.TIME:
                return line.time
            case EventColumn.WHAT:
                return line.what
            case EventColumn.ROW:
                return str(self.numbers.get(line.step, "?")) if line.step else ""
            case EventColumn.ITEM:
                return str(line.item + 1) if line.item >= 0 else ""
            case EventColumn.TEXT:
                return line.text
