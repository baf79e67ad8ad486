"""Selecting what a rectangle touches."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from agent.song.ids import NoteId
from app.ui.kit.band import Band
from app.ui.kit.canvas.pointing import Spot
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.stage import Stage


class RubberBand(Gesture):
    """Drags a rectangle open; with Ctrl or Shift it adds to what was selected. A click selects nothing."""

    def __init__(self, stage: Stage, spot: Spot) -> None:
        self._stage = stage
        self._band = Band(stage.axis, spot.x, spot.y)
        self._before = stage.selected.value
        self._kept = self._before if spot.extend else frozenset[NoteId]()
        stage.cell = (stage.key_place(spot), stage.axis.pitch(spot.y))

    def move(self, spot: Spot) -> None:
        """Select what the band touches now."""
        axis, stage, band = self._stage.axis, self._stage, self._band
        band.move(spot.x, spot.y)
        if not band.begun:
            return
        top, bottom = band.rows
        rows = range(int(top // axis.row_height), int(bottom // axis.row_height) + 1)
        pitches = [axis.pitch_of(row) for row in rows]
        found = stage.index.within(*band.span, min(pitches), max(pitches))
        stage.selected.set(self._kept | {note.id for note in found})
        stage.repaint()

    def release(self, spot: Spot) -> None:
        """The selection stays; a mere click puts the cell there."""
        self.move(spot)
        if not self._band.begun:
            self._stage.selected.set(self._kept)
            self._stage.focus, self._stage.on_cell = None, True
        self._stage.repaint()

    def cancel(self) -> None:
        """Select what was selected before."""
        self._stage.selected.set(self._before)

    def paint(self, painter: QPainter, look: Look) -> None:
        """The band."""
        self._band.paint(painter, look.you)
