"""Looking at the levels of the strips, as long as they can be seen."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from app.ui.mixer.strips import Strips

FRAME_MS, IDLE_MS = 33, 200
"""Between two looks at the levels, while something sounds and while nothing does."""


class Metering(QObject):
    """A timer that takes the levels of the moment and lets the meters that move be painted."""

    def __init__(self, strips: Strips) -> None:
        super().__init__(strips)
        self._strips = strips
        self._last = monotonic()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._frame)

    def start(self) -> None:
        """The strips can be seen."""
        self._last = monotonic()
        self._timer.start(IDLE_MS)

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    @property
    def running(self) -> bool:
        """Whether it looks."""
        return self._timer.isActive()

    def _frame(self) -> None:
        strips, now = self._strips, monotonic()
        playback = strips.board.opened.playback
        moved = strips.levels.take(playback.track_levels(), now - self._last, now)
        self._last = now
        strips.repaint_levels(moved)
        strips.framed.emit()
        wanted = FRAME_MS if strips.levels.moving or playback.state.value.playing else IDLE_MS
        if self._timer.interval() != wanted:
            self._timer.setInterval(wanted)
