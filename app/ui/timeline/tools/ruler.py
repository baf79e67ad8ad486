"""Drags in the ruler: the playhead and the loop."""

from __future__ import annotations

from agent.song.time import Ticks
from app.ui.canvas.tool import DRAG_FROM, PointerSpot
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tools.drag import TimelineDrag


class Seek(TimelineDrag):
    """Moves the playhead to the pointer, on the grid unless Ctrl is held."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage

    def move(self, spot: PointerSpot) -> None:
        """Move the playhead; playback goes on from there at once."""
        stage = self._stage
        stage.opened.playback.seek(Ticks(stage.snap(stage.axis.at(spot.x), spot.free)))
        stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Leave the playhead at the pointer."""
        self.move(spot)


class DragLoop(TimelineDrag):
    """Sets a new loop range from the press to the pointer, or with `edge` moves the nearer end of the present one."""

    def __init__(self, stage: TimelineContext, spot: PointerSpot, *, edge: bool) -> None:
        self._stage = stage
        self._state = stage.opened.playback.state.value
        self._x = spot.x
        self._begun = False
        loop = self._state.loop
        self._fixed: float = stage.snap(stage.axis.at(spot.x), spot.free)
        if edge and loop is not None:
            at = stage.axis.at(spot.x)
            self._fixed = loop[1] if abs(at - loop[0]) < abs(at - loop[1]) else loop[0]

    def move(self, spot: PointerSpot) -> None:
        """Set the loop range from the fixed end to the pointer."""
        self._begun = self._begun or abs(spot.x - self._x) >= DRAG_FROM
        if not self._begun:
            return
        stage = self._stage
        first, last = sorted((int(self._fixed), stage.snap(stage.axis.at(spot.x), spot.free)))
        if first < last:
            stage.opened.playback.set_loop((Ticks(first), Ticks(last)), True)
            stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Keep the loop range; a click without a drag turns looping on or off."""
        self.move(spot)
        if not self._begun and self._state.loop is not None:
            self._stage.opened.playback.set_loop(self._state.loop, not self._state.looping)

    def cancel(self) -> None:
        """Restore the loop as it was."""
        self._stage.opened.playback.set_loop(self._state.loop, self._state.looping)
