"""The rows of the history as a list model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal

from agent.song.ids import IterationId
from app.ui.history.row_data import Index, row_data
from app.ui.history.rows import HistoryRow

_SLICE = 300
"""Rows that are fetched at a time, because the list lays out all rows it has."""


class HistoryModel(QAbstractListModel):
    """The rows of the history; a change that keeps the ids only repaints."""

    named = Signal(str, str)
    """Emitted with an iteration's id and its new name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[HistoryRow, ...] = ()
        self._places: dict[IterationId, int] = {}
        self._fetched = 0

    def show_rows(self, rows: tuple[HistoryRow, ...]) -> None:
        """Show these rows. New ones on top are inserted, so that the selection and an open editor stay."""
        before, now = [row.identity for row in self.rows], [row.identity for row in rows]
        more = len(now) - len(before)
        if before and more >= 0 and now[more:] == before:
            if more:
                self.beginInsertRows(QModelIndex(), 0, more - 1)
            was = self.rows
            self._take(rows, self._fetched + more)
            if more:
                self.endInsertRows()
            below = zip(was, rows[more:self._fetched], strict=False)
            changed = [at for at, (old, new) in enumerate(below, more) if old != new]
            if changed:
                self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
            return
        self.beginResetModel()
        self._take(rows, min(len(rows), _SLICE))
        self.endResetModel()

    def canFetchMore(self, parent: Index) -> bool:  # noqa: N802 - Qt's name
        """Whether there are rows that the list has not fetched yet."""
        return not parent.isValid() and self._fetched < len(self.rows)

    def fetchMore(self, parent: Index) -> None:  # noqa: N802 - Qt's name
        """Fetch the next slice of rows."""
        if not parent.isValid():
            self._fetch(self._fetched + _SLICE)

    def _fetch(self, wanted: int) -> None:
        last = min(len(self.rows), wanted)
        if last > self._fetched:
            self.beginInsertRows(QModelIndex(), self._fetched, last - 1)
            self._fetched = last
            self.endInsertRows()

    def _take(self, rows: tuple[HistoryRow, ...], fetched: int) -> None:
        self.rows, self._fetched = rows, fetched
        self._places = {one: at for at, row in enumerate(rows) for one in row.holds}

    def row(self, index: Index) -> HistoryRow | None:
        """The row at an index; None for an invalid one."""
        return self.rows[index.row()] if index.isValid() and index.row() < self._fetched else None

    def index_of(self, iteration: IterationId | None) -> QModelIndex:
        """The index of an iteration, or of the folded group that contains it; invalid if it is not listed."""
        at = None if iteration is None else self._places.get(iteration)
        if at is not None and at >= self._fetched:
            self._fetch(at + 1)
        return QModelIndex() if at is None else self.index(at)

    def group_of(self, row: HistoryRow) -> HistoryRow | None:
        """The open group that a row is a member of; None for none."""
        return next((
            one for one in self.rows
            if one.open and one.group is not None and row.iteration in one.group.members
        ), None)  # fmt: skip

    def index_of_group(self, key: IterationId) -> QModelIndex:
        """The index of a group by its key; invalid if there is none."""
        at = next((at for at, row in enumerate(self.rows) if row.group is not None and row.group.key == key), None)
        if at is None:
            return QModelIndex()
        if at >= self._fetched:
            self._fetch(at + 1)
        return self.index(at)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's name and default
        """Number of rows that the list has fetched."""
        return 0 if parent.isValid() else self._fetched

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, tooltip, text for screen readers, and the row itself."""
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.EditRole:
            return row.title
        return row_data(row, role, f"{row.title}\n{row.about}")

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows of iterations can be edited (renamed); others only selected."""
        row = self.row(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return base | Qt.ItemFlag.ItemIsEditable if row.kind == "iteration" else base

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Emit `named` for an edited title; the row changes when the name is stored. An unchanged title is no name."""
        row = self.row(index)
        if role != Qt.ItemDataRole.EditRole or row is None or row.id is None or row.kind == "group":
            return False
        if str(value).strip() != row.title:
            self.named.emit(row.id, str(value))
        return True
