"""What all layers that need a clip have in common."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from agent.song.clip import Note
from agent.song.ids import NoteId
from app.desktop.roll.shown import Shown
from app.ui.canvas.layer import Layer
from app.ui.canvas.note_layer import NoteRects, Shades
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import RollScene

_FEW = 200
"""So many selected notes are framed one by one."""


class ClipLayer(Layer[RollLook]):
    """Paints nothing while no clip is shown."""

    def __init__(self, scene: RollScene) -> None:
        self.scene = scene

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint a part of what the clip shows."""
        if self.scene.shown is not None:
            self.paint_clip(painter, window, self.scene.shown, look)

    @abstractmethod
    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """The same, with the clip."""


class DrawnNotes(ClipLayer):
    """Draws notes of clips from rectangles that it shares with others."""

    def __init__(self, scene: RollScene, rects: NoteRects) -> None:
        super().__init__(scene)
        self.rects = rects
        self._unfinished = False

    @property
    def unfinished(self) -> bool:
        """Whether some clip was not painted whole."""
        return self._unfinished

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint a part of what the clip shows."""
        self._unfinished = False
        super().paint(painter, window, look)

    def ticks(self, window: QRect) -> tuple[float, float]:
        """Ticks of the clip whose notes, or hits, may touch a part of the view."""
        axis = self.scene.axis
        return axis.at(window.left() - axis.row_height), axis.at(window.right() + axis.row_height)

    def draw(
        self, painter: QPainter, notes: tuple[Note, ...], ticks: tuple[float, float], shades: Shades, by: int = 0,
        chosen: frozenset[NoteId] = frozenset(),
    ) -> int:
        """Draw the notes of a clip that begins `by` ticks after the one that is shown, between ticks of that one;
        about how many."""
        axis = self.scene.axis
        painter.save()
        painter.translate(axis.x(by), -axis.top)
        count = self.rects.draw(painter, notes, axis, (ticks[0] - by, ticks[1] - by), shades, chosen)
        painter.restore()
        self._unfinished = self._unfinished or self.rects.of(notes).unfinished
        return count


def one_colour(color: QColor, edge: QColor | None = None) -> Shades:
    """Notes that look alike however loud they are."""
    return Shades((color,) * 4, edge, color)


def chosen_together(scene: RollScene) -> frozenset[NoteId]:
    """What is selected, where it is so much that it is drawn together with the other notes."""
    ids, shown = scene.selected.value, scene.shown
    apart = len(ids) < _FEW or scene.drums or shown is None or shown.ghost is not None
    return frozenset() if apart else ids
