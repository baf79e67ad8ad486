"""The playhead and the levels, as long as something plays."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from app.desktop.listen.playback import Playing
from app.ui.canvas.playhead import PlayheadFrames, out_of_page

if TYPE_CHECKING:
    from app.ui.timeline.area import TimelineArea

METER_FRAMES = 2


class Following(PlayheadFrames):
    """A timer that only runs while something plays, or while meters still fall."""

    def __init__(self, view: TimelineArea) -> None:
        super().__init__(self.tick, view)
        self._view = view
        self._x = 0
        self._frames = 0
        self._state = Playing()
        self._last = monotonic()

    def playing(self, state: Playing) -> None:
        """The transport has changed."""
        shown = state.playing, state.loop, state.looping
        if shown != (self._state.playing, self._state.loop, self._state.looping):
            self._view.stage.repaint()
        self._state = state
        if state.playing and not self.running:
            self._last = monotonic()
            self.start()

    def tick(self) -> None:
        """One frame: the strip of the playhead, and at half the rate the levels."""
        view, playback = self._view, self._view.stage.opened.playback
        at = playback.position()
        axis, width = view.stage.axis, view.viewport().width()
        x = round(axis.x(at))
        if x != self._x:
            view.update_playhead(self._x, x)
            self._x = x
        if self._state.playing and view.follow and view.gesture is None and out_of_page(x, width):
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
                self.stop()
                view.stage.repaint()
