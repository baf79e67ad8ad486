"""Looking at the levels of the strips, as long as they can be seen."""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import monotonic

from PySide6.QtCore import QObject, QTimer

from agent.song.ids import TrackId
from app.ui.mixer.scene import MixerScene

FRAME_MS, IDLE_MS = 33, 200
"""Milliseconds between two readings of levels, while something sounds and while nothing does."""


class Metering(QObject):
    """A timer that reads the playback's levels; `moved` is called with the tracks whose meters have changed."""

    def __init__(self, scene: MixerScene, moved: Callable[[Collection[TrackId]], None], parent: QObject) -> None:
        super().__init__(parent)
        self._scene = scene
        self._moved = moved
        self._last = monotonic()
        self.timer = QTimer(self)
        self.timer.timeout.connect(self._frame)

    def start(self) -> None:
        """Start the timer, when the strips become visible."""
        self._last = monotonic()
        self.timer.start(IDLE_MS)

    def _frame(self) -> None:
        levels, playback, now = self._scene.levels, self._scene.board.opened.playback, monotonic()
        moved = levels.take(playback.track_levels(), now - self._last, now)
        self._last = now
        self._moved(moved)
        wanted = FRAME_MS if levels.moving or playback.state.value.playing else IDLE_MS
        if self.timer.interval() != wanted:
            self.timer.setInterval(wanted)
