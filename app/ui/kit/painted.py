"""Brushes and pens of painted widgets: what is proposed is hatched and dashed."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap, QTransform

HATCH_SIZE = 6
GHOST_WIDTH = 1.25
_DASH_ON_OFF = (4.0, 2.4)  # in pen widths: 5 on, 3 off at 1.25


def hatch_brush(color: str | QColor, background: str | QColor, ratio: float) -> QBrush:
    """A brush of 6 × 6 tiles with one 45° line in `color` rising to the right over `background`, sharp at the device
    pixel ratio. Set the painter's brush origin to the corner of what is filled, or the hatching crawls while
    scrolling."""
    brush = QBrush(_tile(QColor(color).rgba(), QColor(background).rgba(), ratio))
    # A brush ignores the pixmap's own ratio, so the tile is scaled back to logical pixels here.
    brush.setTransform(QTransform.fromScale(1 / ratio, 1 / ratio))
    return brush


def dashed_pen(color: str | QColor, width: float = GHOST_WIDTH) -> QPen:
    """The pen for outlines of proposed things, `width` pixels."""
    pen = QPen(QColor(color), width)
    pen.setDashPattern([part * GHOST_WIDTH / width for part in _DASH_ON_OFF])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


@lru_cache(maxsize=256)
def _tile(line: int, ground: int, ratio: float) -> QPixmap:
    size = max(HATCH_SIZE, round(HATCH_SIZE * ratio))
    tile = QPixmap(size, size)
    tile.fill(QColor.fromRgba(ground))
    painter = QPainter(tile)
    width = max(1, round(ratio))
    for row in range(size):
        for step in range(width):
            painter.fillRect((size - 1 - row + step) % size, row, 1, 1, QColor.fromRgba(line))
    painter.end()
    return tile
