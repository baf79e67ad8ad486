"""Small marks that the piano roll paints."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

_HALF, _HEIGHT = 5.5, 12


def draw_playhead(painter: QPainter, x: int, bottom: int, color: QColor) -> None:
    """The pentagon at the upper end of the playhead."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    middle, top = x + 0.5, bottom - _HEIGHT
    painter.drawPolygon(QPolygonF([
        QPointF(middle - _HALF, top), QPointF(middle + _HALF, top), QPointF(middle + _HALF, top + 6),
        QPointF(middle, bottom), QPointF(middle - _HALF, top + 6),
    ]))
    painter.restore()
