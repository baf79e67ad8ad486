"""The playhead of a painted view: its frames, its head in the ruler, and when the view turns its page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPolygonF

FRAME_MS = 20
TURN_AT = 0.92
"""Share of the view's width at which a following view turns to the next page."""
_HALF, _HEIGHT, _SHOULDER = 5.5, 12, 6


class PlayheadFrames(QObject):
    """A timer that calls `tick` for each frame between `start` and `stop`."""

    def __init__(self, tick: Callable[[], None], view: QObject) -> None:
        super().__init__(view)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(tick)

    def start(self) -> None:
        """Start the frames."""
        self._timer.start()

    def stop(self) -> None:
        """Stop the frames."""
        self._timer.stop()

    @property
    def running(self) -> bool:
        """Whether the timer runs."""
        return self._timer.isActive()


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
