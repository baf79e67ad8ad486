"""A hit of the drum grid: a click puts one or takes it away, a drag up or down says how loud it is."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtGui import QPainter

from agent.song.clip import Clip, Note
from agent.song.ids import NoteId
from agent.song.time import Ticks
from app.desktop.roll.drums import piece_name
from app.desktop.roll.note_edits import NoteEdit, drawn, erased, with_velocities
from app.ui.kit.canvas.pointing import DRAG_FROM, Spot
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.gestures.places import paint_outlines, paint_words, place_of
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.stage import Stage
from app.words import tr


class ToggleHit(Gesture):
    """Begins on a hit or on an empty place of the grid; Ctrl ignores the grid."""

    def __init__(self, stage: Stage, spot: Spot, there: Note | None) -> None:
        self._stage = stage
        self._y = spot.y
        self._there = there
        self._begun = False
        self._done = False
        start = Ticks(stage.snap(stage.axis.at(spot.x), spot.free))
        clip = stage.clip
        if clip is not None and start >= clip.duration:
            start = Ticks(stage.floor(clip.duration - 1, spot.free))
        self._note = there or Note(
            NoteId(""), stage.axis.pitch(spot.y), start, stage.key_step, stage.settings.value.velocity
        )
        self._velocity = self._note.velocity
        stage.audition(self._note.pitch, self._velocity)

    def move(self, spot: Spot) -> None:
        """Louder above the press, softer below."""
        self._begun = self._begun or abs(spot.y - self._y) >= DRAG_FROM
        if not self._begun:
            return
        self._velocity = max(1, min(127, self._note.velocity + round(self._y - spot.y)))
        self.words = tr("{piece}, velocity {velocity}", piece=piece_name(self._note.pitch), velocity=self._velocity)
        self._stage.repaint()

    def release(self, spot: Spot) -> None:
        """Put it, take it away, or give it its velocity."""
        self.move(spot)
        if self._begun:
            self._stage.audition(self._note.pitch, self._velocity)
        self._stage.change(self._edit, self._settled)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Where it will be."""
        if self._done or (self._there is not None and not self._begun):
            return
        note = replace(self._note, velocity=self._velocity)
        paint_outlines(painter, self._stage, [note], look)
        place = place_of(self._stage, note)
        paint_words(painter, self.words, place.right() + 2, place.top() + 12, look)

    def _edit(self, clip: Clip) -> NoteEdit:
        there, note = self._there, self._note
        if there is None:
            return drawn(clip, note.pitch, note.start, note.duration, self._velocity)
        if not self._begun:
            return erased(clip, [there.id])
        return with_velocities(clip, {there.id: self._velocity})

    def _settled(self) -> None:
        self._done = True
