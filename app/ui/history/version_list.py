"""The list of iterations: chosen, named in place, with the keys and the menu that belong to it."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from agent.song.ids import IterationId
from app.i18n import tr
from app.storage.records import Iteration
from app.ui.history.model import HistoryModel
from app.ui.history.painting import HistoryDelegate
from app.ui.history.rows import HistoryRow
from app.ui.kit.context import Kit

_TURN_MS = 50
_TURNS = 20


class VersionList(QListView):
    """The list of iterations: F2 renames, Ctrl+B branches, Enter opens, Right and Left open and fold groups."""

    menu_asked = Signal(QPoint)
    branch_asked = Signal()
    name_asked = Signal()
    escape_asked = Signal()
    fold_asked = Signal(object, bool)
    """Emitted with the row of a group, and whether it is to be open."""

    def __init__(self, model: HistoryModel, kit: Kit, parent: QWidget) -> None:
        super().__init__(parent)
        self.delegate = HistoryDelegate(kit, self)
        self.takes_escape = False
        """Whether Esc ends something here, instead of going back to the timeline."""
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName(tr("Iterations"))
        self.setProperty("surface", "panel")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda at: self.menu_asked.emit(self.viewport().mapToGlobal(at)))
        kit.theme.changed.connect(self.viewport().update)
        self._model = model
        self._ring = QTimer(self)
        self._ring.setInterval(_TURN_MS)
        self._ring.timeout.connect(self._turn)

    @property
    def chosen(self) -> tuple[Iteration, ...]:
        """The selected iterations, oldest first."""
        rows = (self._model.row(index) for index in self.selectionModel().selectedIndexes())
        found = [row.iteration for row in rows if row is not None and row.iteration is not None]
        return tuple(sorted(found, key=lambda one: one.number))

    def choose(self, chosen: Collection[IterationId]) -> None:
        """Add these iterations to the selection."""
        for one in chosen:
            self.selectionModel().select(self._model.index_of(one), QItemSelectionModel.SelectionFlag.Select)

    def go_to(self, index: QModelIndex) -> None:
        """Select one row alone and scroll to it."""
        # The list's own way would heed Ctrl and Shift that happen to be held.
        clear = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, clear)
        self.scrollTo(index)

    def turn_ring(self, running: bool) -> None:
        """Start or stop the busy indicator of a run's row."""
        if running != self._ring.isActive():
            (self._ring.start if running else self._ring.stop)()

    def _turn(self) -> None:
        self.delegate.turn = (self.delegate.turn + 1 / _TURNS) % 1
        self.viewport().update(self.visualRect(self._model.index(0)))

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 - Qt's name
        """Does nothing: letters are shortcuts of the window."""

    def event(self, event: QEvent) -> bool:
        """Claim the list's keys before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Handle the list's keys; Space and letters are left to the window."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        group = self._turned(event)
        if group is not None:
            self.fold_asked.emit(group, not group.open)
        elif self._own(event):
            asked = {Qt.Key.Key_F2: self.name_asked, Qt.Key.Key_Escape: self.escape_asked}
            asked.get(Qt.Key(event.key()), self.branch_asked).emit()
        elif plain and event.text() and event.text().isprintable():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _turned(self, event: QKeyEvent) -> HistoryRow | None:
        """The group that a key opens or folds; Left does so from its members too."""
        row = self._model.row(self.currentIndex())
        if row is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return None
        if event.key() == Qt.Key.Key_Right:
            return row if row.group is not None and not row.open else None
        if event.key() == Qt.Key.Key_Left:
            return row if row.open else self._model.group_of(row)
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click on a caret opens or folds its group."""
        at = event.position().toPoint()
        index = self.indexAt(at)
        row = self._model.row(index)
        caret = QRect() if row is None else self.delegate.caret(self.visualRect(index), row)
        if row is not None and event.button() is Qt.MouseButton.LeftButton and caret.contains(at):
            self.fold_asked.emit(row, not row.open)
        else:
            super().mousePressEvent(event)

    def _own(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.key() == Qt.Key.Key_Escape:
            return plain and self.takes_escape
        if event.key() == Qt.Key.Key_F2:
            return plain
        return event.key() == Qt.Key.Key_B and event.modifiers() == Qt.KeyboardModifier.ControlModifier
