"""The frames in which a playhead moves over a painted view."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer

FRAME_MS = 20
TURN_AT = 0.92
"""Share of the width at which a view turns to the next page."""


class PlayheadFrames(QObject):
    """Calls `tick` for each frame from `start` to `stop`."""

    def __init__(self, view: QObject) -> None:
        super().__init__(view)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.tick)

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

    def tick(self) -> None:
        """One frame."""


def out_of_page(x: float, width: int) -> bool:
    """Whether a view of so many pixels turns its page for a playhead at a pixel."""
    return not 0 <= x <= width * TURN_AT
