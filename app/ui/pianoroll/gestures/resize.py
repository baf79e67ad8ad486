"""Moving the left or the right edge of notes."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from agent.song.clip import Note
from agent.song.ids import NoteId
from app.desktop.roll.note_edits import Side, resized, resized_note
from app.desktop.roll.roll_words import length_in_words
from app.ui.kit.canvas.pointing import DRAG_FROM, Spot
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.gestures.places import paint_outlines, paint_words, place_of, seen
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.stage import Stage


class ResizeNotes(Gesture):
    """Drags an edge of a note; the others of the selection follow by the same length. Ctrl ignores the grid."""

    def __init__(self, stage: Stage, grabbed: Note, side: Side, spot: Spot) -> None:
        self._stage = stage
        self._grabbed = grabbed
        self._side: Side = side
        self._from = spot
        # The clip's own place, so that scrolling does not move the edge along.
        self._at = stage.axis.at(spot.x)
        self._ids: frozenset[NoteId] = stage.selected.value
        self._by = 0
        self._begun = False

    def move(self, spot: Spot) -> None:
        """Find the nearest place that the grid allows."""
        stage, note, clip = self._stage, self._grabbed, self._stage.clip
        self._begun = self._begun or abs(spot.x - self._from.x) >= DRAG_FROM
        if not self._begun or clip is None:
            return
        edge = note.end if self._side == "right" else note.start
        wanted = stage.snap(edge + stage.axis.at(spot.x) - self._at, spot.free)
        least = 1 if spot.free else min(note.duration, stage.step or 1)
        if self._side == "right":
            self._by = max(note.start + least, wanted) - edge
        else:
            self._by = min(note.end - least, wanted) - edge
        self.lifted = self._ids
        self.words = length_in_words(resized_note(clip, note, self._by, self._side).duration)
        stage.repaint()

    def release(self, spot: Spot) -> None:
        """Give the notes their new length."""
        self.move(spot)
        ids, by, side = self._ids, self._by, self._side
        self._stage.change(lambda clip: resized(clip, ids, by, side), self._settled)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Their outlines at the new length."""
        clip = self._stage.clip
        if not self._by or clip is None:
            return
        notes = [resized_note(clip, note, self._by, self._side) for note in seen(self._stage, self._ids, painter)]
        paint_outlines(painter, self._stage, notes, look)
        place = place_of(self._stage, resized_note(clip, self._grabbed, self._by, self._side))
        paint_words(painter, self.words, place.left(), place.top(), look)

    def _settled(self) -> None:
        self._by = 0
        self.lifted = frozenset()
