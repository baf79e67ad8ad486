"""Selecting what a rectangle touches."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from agent.song.ids import NoteId
from agent.song.time import Ticks
from app.ui.canvas.rubber_band import RubberBand
from app.ui.canvas.tool import PointerSpot
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.drag import NoteDrag


class SelectNotes(NoteDrag):
    """Selects notes with a rubber band; Ctrl or Shift adds to the selection. A click deselects."""

    settles = False

    def __init__(self, scene: RollScene, spot: PointerSpot) -> None:
        super().__init__(scene)
        self._band = RubberBand(scene.axis, spot.x, spot.y)
        self._before = scene.selected.value
        self._kept = self._before if spot.extend else frozenset[NoteId]()
        scene.cell = Ticks(scene.floor(scene.axis.at(spot.x), spot.free)), scene.axis.pitch(spot.y)

    def move(self, spot: PointerSpot) -> None:
        """Select what the rubber band touches now."""
        scene, band = self._scene, self._band
        band.move(spot.x, spot.y)
        if band.begun:
            first, last = band.rows
            pitches = [scene.axis.pitch_of(row) for row in range(first, last + 1)]
            found = scene.index.within(*band.span, min(pitches), max(pitches))
            scene.selected.set(self._kept | {note.id for note in found})
            scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Keep the selection; a click without a drag moves the keyboard's cell there."""
        self.move(spot)
        if not self._band.begun:
            self._scene.selected.set(self._kept)
            self._scene.focus, self._scene.on_cell = None, True
        self._scene.repaint()

    def cancel(self) -> None:
        """Restore the selection from before."""
        self._scene.selected.set(self._before)

    def paint(self, painter: QPainter, look: RollLook) -> None:
        """Paint the rubber band."""
        self._band.paint(painter, look.you)
