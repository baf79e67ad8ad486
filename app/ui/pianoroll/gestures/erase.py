"""Erasing what the pointer passes over."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from agent.song.ids import NoteId
from app.desktop.roll.note_edits import erased
from app.ui.kit.canvas.pointing import Spot
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.gestures.places import place_of
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.stage import Stage

_STEPS = 24
"""Places between two moves of the pointer that are looked at."""


class EraseNotes(Gesture):
    """A click erases one note, a drag all that it passes."""

    def __init__(self, stage: Stage, spot: Spot) -> None:
        self._stage = stage
        self._last = spot
        self._gone: set[NoteId] = set()
        self.move(spot)

    def move(self, spot: Spot) -> None:
        """Take in what lies between the last place and this one."""
        stage, last = self._stage, self._last
        for turn in range(1, _STEPS + 1):
            share = turn / _STEPS
            note = stage.note_at(last.x + (spot.x - last.x) * share, last.y + (spot.y - last.y) * share)
            if note is not None:
                self._gone.add(note.id)
        self._last = spot
        self.lifted = frozenset(self._gone)
        stage.repaint()

    def release(self, spot: Spot) -> None:
        """Take the notes out."""
        self.move(spot)
        gone = frozenset(self._gone)
        self._stage.change(lambda clip: erased(clip, gone), self._settled)

    def paint(self, painter: QPainter, look: Look) -> None:
        """A cross over each."""
        painter.setPen(QPen(look.bad, 1.5))
        for note_id in self._gone:
            note = self._stage.index.by_id.get(note_id)
            if note is not None:
                place = QRectF(place_of(self._stage, note))
                painter.drawRect(place)
                painter.drawLine(place.topLeft(), place.bottomRight())
                painter.drawLine(place.bottomLeft(), place.topRight())

    def _settled(self) -> None:
        self._gone.clear()
        self.lifted = frozenset()
