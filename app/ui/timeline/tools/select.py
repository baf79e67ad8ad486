"""Selecting what a rectangle touches."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from agent.song.ids import ClipId
from app.ui.canvas.rubber_band import RubberBand
from app.ui.canvas.tool import PointerSpot
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look
from app.ui.timeline.tools.drag import TimelineDrag


class SelectClips(TimelineDrag):
    """Selects clips with a rubber band; Ctrl or Shift adds to the selection."""

    def __init__(self, stage: TimelineContext, spot: PointerSpot) -> None:
        self._stage = stage
        self._band = RubberBand(stage.axis, spot.x, spot.y)
        self._before: frozenset[ClipId] = stage.opened.focus.clips.value
        self._kept = self._before if spot.extend else frozenset[ClipId]()

    def move(self, spot: PointerSpot) -> None:
        """Select what the rubber band touches now."""
        stage, band = self._stage, self._band
        band.move(spot.x, spot.y)
        if not band.begun:
            return
        found = stage.scene.within(*band.span, *band.rows, stage.overlay)
        stage.opened.focus.clips.set(self._kept | {item.clip.id for item in found})
        stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Keep the selection."""
        self.move(spot)
        if not self._band.begun:
            self._stage.opened.focus.clips.set(self._kept)

    def cancel(self) -> None:
        """Restore the selection from before."""
        self._stage.opened.focus.clips.set(self._before)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Paint the rubber band."""
        tones, _ = look
        self._band.paint(painter, tones.you)
