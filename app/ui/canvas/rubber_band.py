"""A rectangle that is dragged open over a painted view."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.time import PPQ
from app.ui.canvas.time_axis import TimeAxis
from app.ui.canvas.tool import DRAG_FROM

VEIL = 40
"""Alpha (0-255) of the fill of the rubber band."""


class RubberBand:
    """A rectangle from the press to the pointer. It is kept in ticks and rows, so that it stays on the song while the
    view scrolls and zooms."""

    def __init__(self, axis: TimeAxis, x: float, y: float) -> None:
        self._axis = axis
        self._from = self._to = axis.at(x), y + axis.top
        self.begun = False
        """Whether it is more than a click."""

    def move(self, x: float, y: float) -> None:
        """Extend it to the pointer at pixel (x, y)."""
        self._to = self._axis.at(x), y + self._axis.top
        (left, right), (top, bottom) = self.span, self._edges
        self.begun = self.begun or self._axis.per_beat * (right - left) / PPQ + bottom - top >= DRAG_FROM

    @property
    def span(self) -> tuple[float, float]:
        """Its first and last tick."""
        return min(self._from[0], self._to[0]), max(self._from[0], self._to[0])

    @property
    def rows(self) -> tuple[int, int]:
        """The first and last row that it touches; they may lie outside the existing rows."""
        top, bottom = self._edges
        return int(top // self._axis.row_height), int(bottom // self._axis.row_height)

    def paint(self, painter: QPainter, color: QColor) -> None:
        """Paint it; nothing before the pointer has moved far enough for a drag."""
        if not self.begun:
            return
        (left, right), (top, bottom) = self.span, self._edges
        x, y = self._axis.x(left), top - self._axis.top
        veil = QColor(color)
        veil.setAlpha(VEIL)
        painter.setPen(QPen(color, 1))
        painter.setBrush(veil)
        painter.drawRect(QRectF(x, y, self._axis.x(right) - x, bottom - top))

    @property
    def _edges(self) -> tuple[float, float]:
        """Its upper and lower edge, in pixels from the top of all that there is."""
        return min(self._from[1], self._to[1]), max(self._from[1], self._to[1])
