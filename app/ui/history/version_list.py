"""The list of iterations: chosen, named in place, with the keys and the menu that belong to it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from app.ui.history.model import HistoryModel
from app.ui.history.painting import HistoryDelegate
from app.ui.kit.context import Kit
from app.words import tr


class VersionList(QListView):
    """F2 names, Ctrl+B branches, Enter opens."""

    menu_asked = Signal(QPoint)
    branch_asked = Signal()
    name_asked = Signal()
    escape_asked = Signal()

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

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 - Qt's name
        """Letters are commands of the window here."""

    def event(self, event: QEvent) -> bool:
        """The list's own keys come before the window's."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Space and letters are the window's."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if self._own(event):
            asked = {Qt.Key.Key_F2: self.name_asked, Qt.Key.Key_Escape: self.escape_asked}
            asked.get(Qt.Key(event.key()), self.branch_asked).emit()
        elif plain and event.text() and event.text().isprintable():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _own(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.key() == Qt.Key.Key_Escape:
            return plain and self.takes_escape
        if event.key() == Qt.Key.Key_F2:
            return plain
        return event.key() == Qt.Key.Key_B and event.modifiers() == Qt.KeyboardModifier.ControlModifier
