"""The playhead of a painted view: its frames, its head in the ruler, and when the view turns its page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPolygonF

FRAME_MS = 20
TURN_AT = 0.92
"""Share of the view's width at which a following view turns to the next page."""
_HALF, _HEIGHT, _SHOULDER = 5.5, 12, 6


def playhead_frames(tick: Callable[[], None], view: QObject) -> QTimer:
    """A timer of the view that calls `tick` for each frame while it runs."""
    timer = QTimer(view)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(FRAME_MS)
    timer.timeout.connect(tick)
    return timer


def out_of_page(x: float, width: int) -> bool:
    """Whether a following view `width` pixels wide has to turn its page for a playhead at pixel `x`."""
    return not 0 <= x <= width * TURN_AT


def draw_playhead(painter: QPainter, x: int, bottom: int, color: QColor) -> None:
    """Paint the playhead's head, a pentagon that ends at pixel `bottom`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    middle, top = x + 0.5, bottom - _HEIGHT
    painter.drawPolygon(QPolygonF([
        QPointF(middle - _HALF, top), QPointF(middle + _HALF, top), QPointF(middle + _HALF, top + _SHOULDER),
        QPointF(middle, bottom), QPointF(middle - _HALF, top + _SHOULDER),
    ]))
    painter.restore()
