"""Velocities in their lane: dragging the bars of notes, and drawing a ramp over many."""

from __future__ import annotations

from collections.abc import Mapping

from agent.song.clip import Note
from agent.song.ids import NoteId
from app.desktop.roll.note_edits import with_velocities
from app.ui.kit.canvas.pointing import DRAG_FROM, Spot
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.stage import Stage
from app.words import tr

_PAD = 4


def velocity_at(y: float, height: int) -> int:
    """The velocity at a pixel of a lane of that height."""
    share = 1 - (y - _PAD) / max(1, height - 2 * _PAD)
    return max(1, min(127, round(1 + share * 126)))


def y_of(velocity: float, height: int) -> float:
    """The pixel at which a velocity stands."""
    return _PAD + (1 - (velocity - 1) / 126) * max(1, height - 2 * _PAD)


class VelocityGesture(Gesture):
    """What both have in common: `velocities` are what letting go would give."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.velocities: Mapping[NoteId, float] = {}

    def release(self, spot: Spot) -> None:
        """Give the notes their velocities."""
        self.move(spot)
        wanted = dict(self.velocities)
        self._stage.change(lambda clip: with_velocities(clip, wanted), self._settled)

    def cancel(self) -> None:
        """All as loud as before."""
        self.velocities = {}
        self.words = ""

    def _settled(self) -> None:
        self.velocities = {}
        self.words = ""


class DragVelocity(VelocityGesture):
    """Drags the bar of a note; the others of the selection become louder or softer by as much."""

    def __init__(self, stage: Stage, grabbed: Note, spot: Spot, height: int) -> None:
        super().__init__(stage)
        self._grabbed = grabbed
        self._height = height
        self._y = spot.y
        self._begun = False
        self._notes = stage.index.chosen(stage.selected.value)

    def move(self, spot: Spot) -> None:
        """As loud as the pointer is high."""
        self._begun = self._begun or abs(spot.y - self._y) >= DRAG_FROM
        if not self._begun:
            return
        loud = velocity_at(spot.y, self._height)
        by = loud - self._grabbed.velocity
        self.velocities = {note.id: max(1, min(127, note.velocity + by)) for note in self._notes}
        self.words = tr("Velocity {velocity}", velocity=loud)
        self._stage.repaint()

    def release(self, spot: Spot) -> None:
        """Give it, and let it be heard."""
        super().release(spot)
        if self._begun:
            self._stage.audition(self._grabbed.pitch, velocity_at(spot.y, self._height))


class DrawRamp(VelocityGesture):
    """Draws a straight line from the press to the pointer; notes that begin under it are as loud as it is high.

    Where notes are selected only those follow.
    """

    def __init__(self, stage: Stage, spot: Spot, height: int) -> None:
        super().__init__(stage)
        self._height = height
        self._from = stage.axis.at(spot.x), velocity_at(spot.y, height)
        self.line = (*self._from, *self._from)
        """Tick and velocity at both ends."""

    def move(self, spot: Spot) -> None:
        """The line ends at the pointer."""
        stage = self._stage
        self.line = (*self._from, stage.axis.at(spot.x), velocity_at(spot.y, self._height))
        (at, loud), (to, then) = sorted([(self.line[0], self.line[1]), (self.line[2], self.line[3])])
        reach = stage.axis.ticks(2)
        notes = stage.index.starting(at - reach, to + reach)
        selected = stage.selected.value
        span = max(1.0, to - at)
        self.velocities = {
            note.id: loud + (then - loud) * max(0.0, min(1.0, (note.start - at) / span))
            for note in notes if not selected or note.id in selected
        }
        self.words = tr("Velocity {first} to {last}", first=self.line[1], last=self.line[3])
        stage.repaint()
