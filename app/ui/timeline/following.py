"""The playhead and the levels, as long as something plays."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer

from app.desktop.listen.playback import Playing

if TYPE_CHECKING:
    from app.ui.timeline.area import TimelineArea

FRAME_MS = 20
METER_FRAMES = 2
TURN_AT = 0.92
"""Share of the width at which the view turns to the next page."""


class Following(QObject):
    """A timer that only runs while something plays, or while meters still fall."""

    def __init__(self, view: TimelineArea) -> None:
        super().__init__(view)
        self._view = view
        self._x = 0
        self._frames = 0
        self._state = Playing()
        self._last = monotonic()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.tick)

    def playing(self, state: Playing) -> None:
        """The transport has changed."""
        shown = state.playing, state.loop, state.looping
        if shown != (self._state.playing, self._state.loop, self._state.looping):
            self._view.stage.repaint()
        self._state = state
        if state.playing and not self._timer.isActive():
            self._last = monotonic()
            self._timer.start()

    def stop(self) -> None:
        """No more frames."""
        self._timer.stop()

    @property
    def running(self) -> bool:
        """Whether frames come."""
        return self._timer.isActive()

    def tick(self) -> None:
        """One frame: the strip of the playhead, and at half the rate the levels."""
        view, playback = self._view, self._view.stage.opened.playback
        at = playback.position()
        axis, width = view.stage.axis, view.viewport().width()
        x = round(axis.x(at))
        if x != self._x:
            view.update_playhead(self._x, x)
            self._x = x
        if self._state.playing and view.follow and view.gesture is None and not 0 <= x <= width * TURN_AT:
            view.sight.reveal_x(at)
            self._x = round(axis.x(at))
        self._frames += 1
        if self._frames % METER_FRAMES == 0:
            now = monotonic()
            levels = view.headers.levels
            levels.take(playback.track_levels(), now - self._last, now)
            self._last = now
            view.headers.paint_levels()
            if not self._state.playing and not levels.moving:
                self._timer.stop()
                view.stage.repaint()
