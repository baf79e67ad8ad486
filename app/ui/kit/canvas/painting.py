"""Painting much at once."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter


def fill_all(painter: QPainter, places: list[QRect] | list[QRectF], color: QColor) -> None:
    """Fill many places in one colour at once."""
    if places:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRects(places)
