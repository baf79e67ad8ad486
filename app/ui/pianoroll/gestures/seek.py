"""Moving the playhead in the ruler."""

from __future__ import annotations

from agent.song.time import Ticks
from app.ui.kit.canvas.pointing import Spot
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.stage import Stage


class Seek(Gesture):
    """Puts the playhead under the pointer, on the grid unless Ctrl is held."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._before = stage.opened.playback.position()

    def move(self, spot: Spot) -> None:
        """Play goes on from there at once."""
        stage = self._stage
        if stage.clip is not None:
            place = stage.snap(stage.axis.at(spot.x), spot.free)
            stage.opened.playback.seek(Ticks(stage.clip.start + place))
            stage.repaint()

    def release(self, spot: Spot) -> None:
        """The playhead stays."""
        self.move(spot)

    def cancel(self) -> None:
        """The playhead is where it was."""
        self._stage.opened.playback.seek(self._before)
