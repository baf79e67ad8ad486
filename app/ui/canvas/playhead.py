"""The playhead of a painted view: its frames, its head in the ruler, and when the view turns its page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPolygonF

FRAME_MS = 20
TURN_AT = 0.92
"""Share of the width at which a view turns to the next page."""
_HALF, _HEIGHT, _SHOULDER = 5.5, 12, 6


class PlayheadFrames(QObject):
    """Calls `tick` for each frame from `start` to `stop`."""

    def __init__(self, tick: Callable[[], None], view: QObject) -> None:
        super().__init__(view)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(tick)

    def start(self) -> None:
        """Frames come."""
        self._timer.start()

    def stop(self) -> None:
        """No more frames."""
        self._timer.stop()

    @property
    def running(self) -> bool:
        """Whether frames come."""
        return self._timer.isActive()


def out_of_page(x: float, width: int) -> bool:
    """Whether a view of so many pixels turns its page for a playhead at a pixel."""
    return not 0 <= x <= width * TURN_AT


def draw_playhead(painter: QPainter, x: int, bottom: int, color: QColor) -> None:
    """The pentagon at the upper end of the playhead."""
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
