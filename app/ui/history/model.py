"""The rows of the history as a list model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from agent.song.ids import IterationId
from app.ui.history.rows import HistoryRow

ROW_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class HistoryModel(QAbstractListModel):
    """A thin face over plain rows; a change that keeps the ids only repaints."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[HistoryRow, ...] = ()

    def show_rows(self, rows: tuple[HistoryRow, ...]) -> None:
        """Show other rows."""
        if [(row.kind, row.id) for row in rows] == [(row.kind, row.id) for row in self.rows]:
            changed = [at for at, (was, now) in enumerate(zip(self.rows, rows, strict=True)) if was != now]
            self.rows = rows
            for at in changed:
                self.dataChanged.emit(self.index(at), self.index(at))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def row(self, index: Index) -> HistoryRow | None:
        """The row at an index."""
        return self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None

    def index_of(self, iteration: IterationId | None) -> QModelIndex:
        """Where an iteration stands; an invalid index if it is not listed."""
        for at, row in enumerate(self.rows):
            if iteration is not None and row.id == iteration:
                return self.index(at)
        return QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's name and default
        """How many there are."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, tooltip, words for a screen reader, and the row itself."""
        row = self.row(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.spoken
            case Qt.ItemDataRole.ToolTipRole:
                # A tooltip that could be read as rich text would show marks of the person's words.
                return f"{row.title}\n{row.about}".replace("<", "‹")
            case _ if role == ROW_ROLE:
                return row
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Only iterations can be compared and restored; a plan can only be looked at."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
