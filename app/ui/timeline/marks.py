"""Small marks that the timeline paints: step badges, locks and the sign of a replaced clip."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.ui.kit.icons import pixmap
from app.ui.timeline.fonts import CENTRE, Fonts
from app.ui.timeline.measures import BADGE_HEIGHT, BADGE_PADDING, BADGE_RADIUS
from app.ui.timeline.tones import Tones

LOCK_WIDTH = 8
LOCK_HEIGHT = 9


def badge_width(number: str, fonts: Fonts) -> int:
    """Pixels of a step's badge."""
    return max(BADGE_HEIGHT, fonts.width(fonts.badge, number) + 2 * BADGE_PADDING)


def draw_badge(painter: QPainter, x: int, y: int, number: str, tones: Tones, fonts: Fonts) -> int:
    """A step's number in the colour of proposals; returns its width."""
    width = badge_width(number, fonts)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.agent_fill)
    painter.drawRoundedRect(QRectF(x, y, width, BADGE_HEIGHT), BADGE_RADIUS, BADGE_RADIUS)
    painter.setPen(tones.on_agent)
    painter.setFont(fonts.badge)
    painter.drawText(QRect(x, y, width, BADGE_HEIGHT), CENTRE, number)
    painter.restore()
    return width


def draw_lock(painter: QPainter, x: int, y: int, color: QColor) -> None:
    """A small closed lock."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, 1.2))
    painter.drawArc(QRectF(x + 1.8, y + 0.6, LOCK_WIDTH - 3.6, LOCK_HEIGHT - 2), 0, 180 * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(QRectF(x + 0.5, y + 4, LOCK_WIDTH - 1, LOCK_HEIGHT - 4), 1, 1)
    painter.restore()


def draw_icon(painter: QPainter, x: int, y: int, name: str, color: QColor, size: int, tones: Tones) -> None:
    """An icon of the kit."""
    painter.drawPixmap(x, y, pixmap(name, color, size, tones.ratio))
