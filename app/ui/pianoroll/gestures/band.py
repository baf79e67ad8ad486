"""Selecting what a rectangle touches."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.ids import NoteId
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.measures import DRAG_FROM
from app.ui.pianoroll.stage import Spot, Stage

_VEIL = 40
"""How much of the band's colour lies over the notes, of 255."""


class RubberBand(Gesture):
    """Drags a rectangle open; with Ctrl or Shift it adds to what was selected. A click selects nothing."""

    def __init__(self, stage: Stage, spot: Spot) -> None:
        self._stage = stage
        # The clip's own place, so that the band stays on it while the view scrolls.
        self._from = stage.axis.at(spot.x), spot.y + stage.axis.top
        self._to = self._from
        self._before = stage.selected.value
        self._kept = self._before if spot.extend else frozenset[NoteId]()
        self._begun = False
        stage.cell = (stage.key_place(spot), stage.axis.pitch(spot.y))

    def move(self, spot: Spot) -> None:
        """Select what the band touches now."""
        axis, stage = self._stage.axis, self._stage
        self._to = axis.at(spot.x), spot.y + axis.top
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(self._from, self._to, strict=True))
        self._begun = self._begun or axis.per_beat * (right - left) / 960 + bottom - top >= DRAG_FROM
        if not self._begun:
            return
        rows = range(int(top // axis.row_height), int(bottom // axis.row_height) + 1)
        pitches = [axis.pitch_of(row) for row in rows]
        found = stage.index.within(left, right, min(pitches), max(pitches))
        stage.selected.set(self._kept | {note.id for note in found})
        stage.repaint()

    def release(self, spot: Spot) -> None:
        """The selection stays; a mere click puts the cell there."""
        self.move(spot)
        if not self._begun:
            self._stage.selected.set(self._kept)
            self._stage.focus, self._stage.on_cell = None, True
        self._stage.repaint()

    def cancel(self) -> None:
        """Select what was selected before."""
        self._stage.selected.set(self._before)

    def paint(self, painter: QPainter, look: Look) -> None:
        """The band."""
        if not self._begun:
            return
        axis = self._stage.axis
        x, y = axis.x(self._from[0]), self._from[1] - axis.top
        band = QRectF(x, y, axis.x(self._to[0]) - x, self._to[1] - axis.top - y).normalized()
        veil = QColor(look.you)
        veil.setAlpha(_VEIL)
        painter.setPen(QPen(look.you, 1))
        painter.setBrush(veil)
        painter.drawRect(band)
