"""A slider for one parameter: a drag turns it from where it stands."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from app.viewmodels.edits.mixing import FINE

STEPS = 1000
_Key = Qt.Key
_BY_KEY = {_Key.Key_Left: -1, _Key.Key_Down: -1, _Key.Key_Right: 1, _Key.Key_Up: 1}
_BY_PAGE = {_Key.Key_PageDown: -1, _Key.Key_PageUp: 1}
_STEP, _PAGE = 10, 100


class TurnSlider(QSlider):
    """A slider for a parameter; a drag is relative to its current position. Shift moves finely; a double click or
    Backspace asks for the default, Esc cancels a drag.

    Signals: `turned` carries a position (0 to 1), `released` marks the end of a drag, `keyed` a value set by a key."""

    turned = Signal(float)
    released = Signal()
    keyed = Signal()
    default_wanted = Signal()
    given_up = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, STEPS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(60, 20)
        self._from: tuple[float, float] | None = None
        self._place = 0.0
        self._moved = False

    def show_place(self, place: float) -> None:
        """Set the position (0 to 1) without emitting a signal."""
        self._place = place
        self.setValue(round(place * STEPS))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from, self._moved = (event.position().x(), self._place), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move by as much as the pointer moved."""
        if self._from is None:
            return
        x, place = self._from
        fine = bool(event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
        way = (event.position().x() - x) / max(1, self.width() - 8) * (FINE if fine else 1.0)
        if way or self._moved:
            self._moved = True
            self._turn(place + way)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """End the drag."""
        moved, self._from = self._from is not None and self._moved, None
        if moved:
            self.released.emit()

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """Ask for the default."""
        self._from = None
        self.default_wanted.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to the panel, which scrolls."""
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Claim the slider's keys before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Arrow keys move by a hundredth of the range, with Shift by a thousandth, Page keys by a tenth."""
        key = _Key(event.key())
        if not self._takes(event):
            event.ignore()
        elif key == _Key.Key_Escape:
            self._from = None
            self.given_up.emit()
        elif key == _Key.Key_Backspace:
            self.default_wanted.emit()
        else:
            step = _BY_PAGE[key] * _PAGE if key in _BY_PAGE else _BY_KEY[key] * _STEP
            fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._turn(self._place + step / STEPS * (0.1 if fine else 1.0))
            self.keyed.emit()

    def _takes(self, event: QKeyEvent) -> bool:
        keys = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        key = event.key()
        if key == _Key.Key_Escape:
            return self._from is not None
        return keys == Qt.KeyboardModifier.NoModifier and (
            key in _BY_KEY or key in _BY_PAGE or key == _Key.Key_Backspace
        )

    def _turn(self, place: float) -> None:
        self.show_place(min(1.0, max(0.0, place)))
        self.turned.emit(self._place)
