"""The list of what differs: the song and its tracks, each with its changes in words; tracks can be picked from B."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from agent.song.ids import TrackId
from app.i18n import tr
from app.ui.history.difference_delegate import CHECK_WIDTH, DifferenceDelegate
from app.ui.history.row_data import Index, row_data
from app.ui.kit.context import Kit
from app.viewmodels.history.difference_rows import DifferenceRow


class DifferenceModel(QAbstractListModel):
    """Rows of differences; `picked` are the ids of the tracks that are to be taken from B."""

    picks_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[DifferenceRow, ...] = ()
        self.picked: frozenset[TrackId] = frozenset()

    def show_rows(self, rows: tuple[DifferenceRow, ...]) -> None:
        """Show these rows, with no track picked."""
        self.beginResetModel()
        self.rows, self.picked = rows, frozenset()
        self.endResetModel()
        self.picks_changed.emit()

    def pick(self, picked: frozenset[TrackId]) -> None:
        """Set the picked tracks."""
        if picked == self.picked:
            return
        self.picked = picked
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))
        self.picks_changed.emit()

    def pick_all(self) -> None:
        """Pick every track that differs."""
        self.pick(frozenset(row.track for row in self.rows if row.track is not None))

    def toggle(self, index: Index) -> None:
        """Pick the row's track, or unpick it."""
        row = self.row(index)
        if row is not None and row.track is not None:
            self.pick(self.picked ^ {row.track})

    def row(self, index: Index) -> DifferenceRow | None:
        """The row at an index; None for an invalid one."""
        return self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None

    def index_of(self, track: TrackId | None) -> QModelIndex:
        """The index of a track's row; None is the song's. Invalid if it has none."""
        for at, row in enumerate(self.rows):
            if row.track == track and not row.quiet:
                return self.index(at)
        return QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's name and default
        """Number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, check state, tooltip, text for screen readers, and the row itself."""
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.CheckStateRole and row.track is not None:
            return Qt.CheckState.Checked if row.track in self.picked else Qt.CheckState.Unchecked
        return row_data(row, role, row.tip or "\n".join((row.title, *(line.text for line in row.lines)))[:2000])

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Pick or unpick a track by its check box."""
        row = self.row(index)
        if role != Qt.ItemDataRole.CheckStateRole or row is None or row.track is None:
            return False
        wanted = Qt.CheckState(value) is Qt.CheckState.Checked
        self.pick(self.picked | {row.track} if wanted else self.picked - {row.track})
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows of tracks can be checked; the row about what is the same cannot be selected."""
        row = self.row(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        if row.quiet:
            return base
        checkable = Qt.ItemFlag.ItemIsUserCheckable if row.track is not None else Qt.ItemFlag.NoItemFlags
        return base | Qt.ItemFlag.ItemIsSelectable | checkable


class DifferenceList(QListView):
    """The list of differences: selecting a row shows its notes; a click on its box, or X, picks its track."""

    def __init__(self, kit: Kit, families: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = DifferenceModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(DifferenceDelegate(kit, families, self))
        self.setAccessibleName(tr("What differs"))
        self.setProperty("surface", "canvas")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setTabKeyNavigation(False)
        kit.theme.changed.connect(self.viewport().update)

    def event(self, event: QEvent) -> bool:
        """Claim X before the window's shortcuts, for which it is an action of the plan."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_pick(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """X picks; other letters, digits and Enter are left to the page and the window."""
        if _is_pick(event):
            self.rows.toggle(self.currentIndex())
        elif (event.text() and event.text().isprintable()) or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click on the box toggles the pick without selecting the row."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        if index.isValid() and place.x() - self.visualRect(index).left() < CHECK_WIDTH:
            self.rows.toggle(index)
            return
        super().mousePressEvent(event)


def _is_pick(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_X and event.modifiers() == Qt.KeyboardModifier.NoModifier
