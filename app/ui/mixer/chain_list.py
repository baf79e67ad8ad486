"""The list of a chain's effects: choose, switch, and drag to another place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QListView, QWidget

from app.i18n import tr
from app.ui.kit.theme import Theme
from app.ui.mixer.chain_model import ChainModel

_Key = Qt.Key
_ENTER = (_Key.Key_Return, _Key.Key_Enter)
_DELETE = (_Key.Key_Delete, _Key.Key_Backspace)
_STEPS = {_Key.Key_Up: -1, _Key.Key_Down: 1}


class ChainList(QListView):
    """The list of effects: Enter toggles the current effect, Alt with up and down moves it, Del removes it; effects can
    be dragged.

    Signal `move_wanted` carries a row and its new index, counted without that row."""

    move_wanted = Signal(int, int)
    remove_wanted = Signal(int)

    def __init__(self, model: ChainModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._chain = model
        self._pressed: tuple[int, int] | None = None
        self._gap: int | None = None
        self.setModel(model)
        self.setAccessibleName(tr("Effects"))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    @property
    def gap(self) -> int | None:
        """The row above which a dragged effect would go; None while nothing is dragged."""
        return self._gap

    def event(self, event: QEvent) -> bool:
        """Claim the list's keys before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Handle the keys named at the class."""
        row = self.currentIndex().row()
        if not self._takes(event) or (row < 0 and self._gap is None):
            super().keyPressEvent(event)
        elif event.key() == _Key.Key_Escape:
            self._end()
        elif event.key() in _ENTER:
            self._chain.switch_wanted.emit(row)
        elif event.key() in _DELETE:
            self.remove_wanted.emit(row)
        else:
            self._move(row, row + _STEPS[_Key(event.key())])

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Select the effect under the pointer; a drag of it may begin."""
        super().mousePressEvent(event)
        row = self.indexAt(event.position().toPoint()).row()
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = row, round(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Show where the dragged effect would go."""
        y = round(event.position().y())
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if self._gap is None and abs(y - self._pressed[1]) < QApplication.startDragDistance():
            return
        self._gap = self._gap_at(y)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move the dragged effect; without a drag handle the click."""
        pressed, gap = self._pressed, self._gap
        self._end()
        if pressed is not None and gap is not None:
            self._move(pressed[0], gap - 1 if gap > pressed[0] else gap)
        else:
            super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the rows, and a line where a dragged effect would go."""
        super().paintEvent(event)
        if self._gap is not None:
            painter = QPainter(self.viewport())
            painter.fillRect(0, self._line(self._gap), self.viewport().width(), 2, self._theme.color("you"))
            painter.end()

    def _takes(self, event: QKeyEvent) -> bool:
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() == _Key.Key_Escape:
            return self._gap is not None
        if event.key() in _STEPS:
            return keys == Qt.KeyboardModifier.AltModifier
        return keys == Qt.KeyboardModifier.NoModifier and event.key() in (*_ENTER, *_DELETE)

    def _move(self, row: int, to: int) -> None:
        if 0 <= to < self._chain.rowCount() and to != row:
            self.move_wanted.emit(row, to)

    def _row_place(self, row: int) -> QRect:
        return self.visualRect(self._chain.index(row))

    def _gap_at(self, y: int) -> int:
        return sum(self._row_place(row).center().y() < y for row in range(self._chain.rowCount()))

    def _line(self, gap: int) -> int:
        if gap < self._chain.rowCount():
            return max(0, self._row_place(gap).top() - 1)
        return self._row_place(gap - 1).bottom() - 1

    def _end(self) -> None:
        self._pressed = self._gap = None
        self.viewport().update()
