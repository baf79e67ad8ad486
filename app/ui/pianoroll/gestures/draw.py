"""Drawing a note: a click puts one as long as the grid, a drag says how long it is."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from agent.song.clip import Note
from agent.song.ids import NoteId
from agent.song.time import Ticks
from app.desktop.roll.note_edits import drawn
from app.desktop.roll.roll_words import here_in_words, length_in_words, pitch_in_words
from app.ui.kit.canvas.pointing import DRAG_FROM, Spot
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.gestures.places import paint_outlines, paint_words, place_of
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.stage import Stage


class DrawNote(Gesture):
    """Begins at the place of the grid before the press; Ctrl ignores the grid."""

    def __init__(self, stage: Stage, spot: Spot) -> None:
        self._stage = stage
        self._x = spot.x
        self._begun = False
        self._done = False
        self._pitch = stage.pitch(stage.axis.pitch(spot.y))
        start = Ticks(stage.floor(stage.axis.at(spot.x), spot.free))
        velocity = stage.settings.value.velocity
        self._note = Note(NoteId(""), self._pitch, start, stage.key_step, velocity)
        stage.audition(self._pitch, velocity)
        self._tell()

    def move(self, spot: Spot) -> None:
        """The note ends where the pointer is."""
        stage, note = self._stage, self._note
        self._begun = self._begun or abs(spot.x - self._x) >= DRAG_FROM
        if not self._begun:
            return
        end = stage.snap(stage.axis.at(spot.x), spot.free)
        least = note.start + (1 if spot.free else stage.key_step)
        self._note = Note(note.id, note.pitch, note.start, Ticks(max(least, end) - note.start), note.velocity)
        self._tell()
        stage.repaint()

    def release(self, spot: Spot) -> None:
        """Put it into the clip."""
        self.move(spot)
        note = self._note
        self._stage.change(
            lambda clip: drawn(clip, note.pitch, note.start, note.duration, note.velocity), self._settled
        )

    def paint(self, painter: QPainter, look: Look) -> None:
        """Where it will be."""
        if not self._done:
            paint_outlines(painter, self._stage, [self._note], look)
            place = place_of(self._stage, self._note)
            paint_words(painter, self.words, place.left(), place.top(), look)

    def _tell(self) -> None:
        stage = self._stage
        name = pitch_in_words(self._pitch, stage.key, kit=stage.shown is not None and stage.shown.kit)
        self.words = here_in_words(name, length_in_words(self._note.duration))

    def _settled(self) -> None:
        self._done = True
