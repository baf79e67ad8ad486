"""The ring round a widget that has the keyboard and whose own painting has none."""

from __future__ import annotations

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionFocusRect, QWidget


def paint_focus_ring(widget: QWidget) -> None:
    """Paint the style's focus ring; to be called at the end of a `paintEvent`. Only a focus that came by keyboard is
    shown."""
    if widget.hasFocus():
        option = QStyleOptionFocusRect()
        option.initFrom(widget)
        painter = QPainter(widget)
        widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, painter, widget)
        painter.end()
