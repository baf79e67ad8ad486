"""The pointer over a widget, told directly: `QTest.mouseMove` would let other work go on inside a coroutine."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget


def point(widget: QWidget, place: QPoint, *, pressed: bool = False) -> None:
    """Move the pointer to a place of a widget, with the left button held or not."""
    buttons = Qt.MouseButton.LeftButton if pressed else Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), QPointF(widget.mapToGlobal(place)), Qt.MouseButton.NoButton, buttons,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)
