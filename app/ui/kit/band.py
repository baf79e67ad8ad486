"""A rectangle that is dragged open over a painted view."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.time import PPQ
from app.ui.kit.canvas.pointing import DRAG_FROM

VEIL = 40
"""How much of the band's colour lies over the view, of 255."""


class Ground(Protocol):
    """From ticks to pixels and back; `top` pixels are scrolled out of sight."""

    per_beat: float
    top: int

    def x(self, at: float) -> float:
        """Pixel of a tick."""

    def at(self, x: float) -> float:
        """Tick at a pixel."""


class Band:
    """It stays on the places of the song that it was dragged over while the view scrolls and zooms."""

    def __init__(self, ground: Ground, x: float, y: float) -> None:
        self._ground = ground
        self._from = self._to = ground.at(x), y + ground.top
        self.begun = False
        """Whether it is more than a click."""

    def move(self, x: float, y: float) -> None:
        """The pointer is here now."""
        self._to = self._ground.at(x), y + self._ground.top
        (left, right), (top, bottom) = self.span, self.rows
        self.begun = self.begun or self._ground.per_beat * (right - left) / PPQ + bottom - top >= DRAG_FROM

    @property
    def span(self) -> tuple[float, float]:
        """Its first and last tick."""
        return min(self._from[0], self._to[0]), max(self._from[0], self._to[0])

    @property
    def rows(self) -> tuple[float, float]:
        """Its upper and lower edge, in pixels from the top of all that there is."""
        return min(self._from[1], self._to[1]), max(self._from[1], self._to[1])

    def paint(self, painter: QPainter, color: QColor) -> None:
        """Show it, once it is more than a click."""
        if not self.begun:
            return
        (left, right), (top, bottom) = self.span, self.rows
        x, y = self._ground.x(left), top - self._ground.top
        veil = QColor(color)
        veil.setAlpha(VEIL)
        painter.setPen(QPen(color, 1))
        painter.setBrush(veil)
        painter.drawRect(QRectF(x, y, self._ground.x(right) - x, bottom - top))
