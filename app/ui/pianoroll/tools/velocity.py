"""Velocities in their lane: dragging the bars of notes, and drawing a ramp over many."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from agent.song.clip import Note
from agent.song.ids import NoteId
from app.i18n import tr
from app.ui.canvas.tool import DRAG_FROM, Hover, PointerSpot, Tool
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.measures import BAR_GRIP, VELOCITY_PAD
from app.ui.pianoroll.note_shapes import paint_words
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.drag import NoteDrag
from app.viewmodels.pianoroll.note_edits import with_velocities

_WORDS_AT = (4, 17)


def velocity_at(y: float, height: int) -> int:
    """The velocity (1-127) at pixel y of a lane `height` pixels high."""
    share = 1 - (y - VELOCITY_PAD) / max(1, height - 2 * VELOCITY_PAD)
    return max(1, min(127, round(1 + share * 126)))


def y_of(velocity: float, height: int) -> float:
    """Pixel y of a velocity in a lane `height` pixels high."""
    return VELOCITY_PAD + (1 - (velocity - 1) / 126) * max(1, height - 2 * VELOCITY_PAD)


class VelocityDrag(NoteDrag):
    """A drag in the velocity lane, which is `height` pixels high; `velocities` are the new values by note id, stored on
    release."""

    def __init__(self, scene: RollScene, height: int) -> None:
        super().__init__(scene)
        self._height = height
        self.velocities: Mapping[NoteId, float] = {}

    def release(self, spot: PointerSpot) -> None:
        """Store the velocities."""
        self.move(spot)
        wanted = dict(self.velocities)
        self.commit(lambda clip: with_velocities(clip, wanted))

    def paint(self, painter: QPainter, look: RollLook) -> None:
        """Paint the new velocity in words."""
        paint_words(painter, self.words, *_WORDS_AT, look)


class DragVelocity(VelocityDrag):
    """Drags the velocity bar of a note in a lane `height` pixels high; those of the other selected notes change by the
    same amount."""

    def __init__(self, scene: RollScene, grabbed: Note, spot: PointerSpot, height: int) -> None:
        super().__init__(scene, height)
        self._grabbed = grabbed
        self._y = spot.y
        self._begun = False
        self._notes = scene.index.chosen(scene.selected.value)

    def move(self, spot: PointerSpot) -> None:
        """Set the velocity from the pointer's height."""
        self._begun = self._begun or abs(spot.y - self._y) >= DRAG_FROM
        if self._begun:
            loud = velocity_at(spot.y, self._height)
            by = loud - self._grabbed.velocity
            self.velocities = {note.id: max(1, min(127, note.velocity + by)) for note in self._notes}
            self.words = tr("Velocity {velocity}", velocity=loud)
            self._scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Store the velocity and play the note."""
        super().release(spot)
        if self._begun:
            self._scene.audition(self._grabbed.pitch, velocity_at(spot.y, self._height))


class DrawRamp(VelocityDrag):
    """Draws a straight line from the press to the pointer; notes that begin under it get the velocity of its height
    there. With a selection only the selected notes change."""

    def __init__(self, scene: RollScene, spot: PointerSpot, height: int) -> None:
        super().__init__(scene, height)
        self._from = self._to = scene.axis.at(spot.x), velocity_at(spot.y, height)

    def move(self, spot: PointerSpot) -> None:
        """End the line at the pointer."""
        scene = self._scene
        self._to = scene.axis.at(spot.x), velocity_at(spot.y, self._height)
        (at, loud), (to, then) = sorted([self._from, self._to])
        reach = scene.axis.ticks(2)
        selected = scene.selected.value
        span = max(1.0, to - at)
        self.velocities = {
            note.id: loud + (then - loud) * max(0.0, min(1.0, (note.start - at) / span))
            for note in scene.index.starting(at - reach, to + reach) if not selected or note.id in selected
        }
        self.words = tr("Velocity {first} to {last}", first=self._from[1], last=self._to[1])
        scene.repaint()

    def paint(self, painter: QPainter, look: RollLook) -> None:
        """Paint the line and the new velocities in words."""
        axis = self._scene.axis
        if self.words:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(look.you, 2))
            ends = [QPointF(axis.x(at), y_of(loud, self._height)) for at, loud in (self._from, self._to)]
            painter.drawLine(*ends)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        super().paint(painter, look)


class VelocityTool(Tool[VelocityDrag]):
    """A drag of a bar changes the velocity of its note and of those selected with it; a drag beside bars draws a ramp.
    `height` returns the pixels of the lane."""

    def __init__(self, scene: RollScene, height: Callable[[], int]) -> None:
        self._scene = scene
        self._height = height

    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> VelocityDrag | None:
        """Begin a drag of the bar there, or of a ramp; None if the clip cannot be edited."""
        scene = self._scene
        if button != Qt.MouseButton.LeftButton or not scene.editable:
            return None
        note = None if spot.shift else self._bar_at(spot)
        if note is None:
            return DrawRamp(scene, spot, self._height())
        if note.id not in scene.selected.value:
            scene.choose(note)
        return DragVelocity(scene, note, spot, self._height())

    def hover(self, _spot: PointerSpot) -> Hover:
        """A tooltip that explains the lane."""
        return Hover(tip=tr("Velocity: drag a bar, or drag across (with Shift anywhere) to draw a ramp"))

    def _bar_at(self, spot: PointerSpot) -> Note | None:
        """The note whose bar is nearest; of those that begin together the selected, then the loudest."""
        axis, selected = self._scene.axis, self._scene.selected.value
        at, reach = axis.at(spot.x), axis.ticks(BAR_GRIP)
        return min(
            self._scene.index.starting(at - reach, at + reach), default=None,
            key=lambda note: (abs(note.start - at), note.id not in selected, -note.velocity),
        )
