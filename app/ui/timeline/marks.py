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
    """Width in pixels of a step's badge with this number."""
    return max(BADGE_HEIGHT, fonts.width(fonts.badge, number) + 2 * BADGE_PADDING)


def draw_badge(painter: QPainter, x: int, y: int, number: str, tones: Tones, fonts: Fonts) -> int:
    """Paint a step's number in a badge at (x, y); returns its width in pixels."""
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
    """Paint a small closed lock at (x, y)."""
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
    """Paint the icon of this name at (x, y), `size` pixels wide and high."""
    painter.drawPixmap(x, y, pixmap(name, color, size, tones.ratio))
