"""Putting notes and hits, and erasing them."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from agent.song.clip import Clip, Note
from agent.song.ids import NoteId
from agent.song.time import Ticks
from app.i18n import tr
from app.ui.canvas.tool import DRAG_FROM, PointerSpot
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.note_shapes import paint_outlines, paint_words, place_of
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.drag import NoteDrag
from app.viewmodels.pianoroll.drums import piece_name
from app.viewmodels.pianoroll.note_edits import NoteEdit, drawn, erased, with_velocities
from app.viewmodels.pianoroll.roll_words import here_in_words, length_in_words, pitch_in_words

_STEPS = 24
"""Points between two positions of the pointer that are checked for notes to erase."""


class DrawNote(NoteDrag):
    """Adds a note: a click one of a grid step, a drag one that ends at the pointer. It begins at the grid position
    before the press; Ctrl ignores the grid."""

    def __init__(self, scene: RollScene, spot: PointerSpot) -> None:
        super().__init__(scene)
        self._x = spot.x
        self._begun = False
        pitch, velocity = scene.pitch(scene.axis.pitch(spot.y)), scene.settings.value.velocity
        start = Ticks(scene.floor(scene.axis.at(spot.x), spot.free))
        self._note = Note(NoteId(""), pitch, start, scene.key_step, velocity)
        scene.audition(pitch, velocity)
        self._tell()

    def move(self, spot: PointerSpot) -> None:
        """End the note at the pointer."""
        scene, note = self._scene, self._note
        self._begun = self._begun or abs(spot.x - self._x) >= DRAG_FROM
        if self._begun:
            end = scene.snap(scene.axis.at(spot.x), spot.free)
            least = note.start + (1 if spot.free else scene.key_step)
            self._note = replace(note, duration=Ticks(max(least, end) - note.start))
            self._tell()
            scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Add the note to the clip."""
        self.move(spot)
        note = self._note
        self.commit(lambda clip: drawn(clip, note.pitch, note.start, note.duration, note.velocity))

    def paint(self, painter: QPainter, look: RollLook) -> None:
        """Paint the outline of the note."""
        paint_outlines(painter, self._scene, [self._note], look.t1)
        place = place_of(self._scene, self._note)
        paint_words(painter, self.words, place.left(), place.top(), look)

    def _tell(self) -> None:
        shown = self._scene.shown
        name = pitch_in_words(self._note.pitch, self._scene.key, kit=shown is not None and shown.kit)
        self.words = here_in_words(name, length_in_words(self._note.duration))


class EraseNotes(NoteDrag):
    """Erases the clicked note, or all notes that a drag passes."""

    def __init__(self, scene: RollScene, spot: PointerSpot) -> None:
        super().__init__(scene)
        self._last = spot
        self.move(spot)

    def move(self, spot: PointerSpot) -> None:
        """Add the notes between the last position and this one."""
        scene, last = self._scene, self._last
        shares = [turn / _STEPS for turn in range(1, _STEPS + 1)]
        passed = [scene.note_at(last.x + (spot.x - last.x) * at, last.y + (spot.y - last.y) * at) for at in shares]
        self.lifted |= {note.id for note in passed if note is not None}
        self._last = spot
        scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Delete the notes."""
        self.move(spot)
        gone = self.lifted
        self.commit(lambda clip: erased(clip, gone))

    def paint(self, painter: QPainter, look: RollLook) -> None:
        """Paint a cross over each note to be deleted."""
        painter.setPen(QPen(look.bad, 1.5))
        for note in self._scene.index.chosen(self.lifted):
            place = QRectF(place_of(self._scene, note))
            painter.drawRect(place)
            painter.drawLine(place.topLeft(), place.bottomRight())
            painter.drawLine(place.bottomLeft(), place.topRight())


class ToggleHit(NoteDrag):
    """Drum grid: a click adds a hit or removes it (`there`), a drag up or down sets its velocity; Ctrl ignores the
    grid."""

    def __init__(self, scene: RollScene, spot: PointerSpot, there: Note | None) -> None:
        super().__init__(scene)
        self._y = spot.y
        self._there = there
        self._begun = False
        start = scene.snap(scene.axis.at(spot.x), spot.free)
        if start >= scene.axis.length:
            start = scene.floor(scene.axis.length - 1, spot.free)
        self._note = there or Note(
            NoteId(""), scene.axis.pitch(spot.y), Ticks(start), scene.key_step, scene.settings.value.velocity
        )
        self._before = self._note.velocity
        scene.audition(self._note.pitch, self._before)

    def move(self, spot: PointerSpot) -> None:
        """Set the velocity from the distance above (louder) or below the press."""
        self._begun = self._begun or abs(spot.y - self._y) >= DRAG_FROM
        if self._begun:
            velocity = max(1, min(127, self._before + round(self._y - spot.y)))
            self._note = replace(self._note, velocity=velocity)
            self.words = tr("{piece}, velocity {velocity}", piece=piece_name(self._note.pitch), velocity=velocity)
            self._scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Add the hit, remove it, or set its velocity."""
        self.move(spot)
        if self._begun:
            self._scene.audition(self._note.pitch, self._note.velocity)
        self.commit(self._edit)

    def paint(self, painter: QPainter, look: RollLook) -> None:
        """Paint the outline of the hit."""
        if self._there is None or self._begun:
            paint_outlines(painter, self._scene, [self._note], look.t1)
            place = place_of(self._scene, self._note)
            paint_words(painter, self.words, place.right() + 2, place.top() + 12, look)

    def _edit(self, clip: Clip) -> NoteEdit:
        there, note = self._there, self._note
        if there is None:
            return drawn(clip, note.pitch, note.start, note.duration, note.velocity)
        return with_velocities(clip, {there.id: note.velocity}) if self._begun else erased(clip, [there.id])
