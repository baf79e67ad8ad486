"""The ring round a widget that has the keyboard and whose own painting has none."""

from __future__ import annotations

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionFocusRect, QWidget


def paint_focus_ring(widget: QWidget) -> None:
    """At the end of a `paintEvent`: as the style draws it, and only where a key has brought the keyboard."""
    if widget.hasFocus():
        option = QStyleOptionFocusRect()
        option.initFrom(widget)
        painter = QPainter(widget)
        widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, painter, widget)
        painter.end()
