"""What all layers that need a clip have in common."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from agent.song.clip import Note
from agent.song.ids import NoteId
from app.ui.canvas.layer import Layer
from app.ui.canvas.note_layer import NoteRects, Shades
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.shown import Shown

_FEW = 200
"""Number of selected notes up to which each is framed separately."""


class ClipLayer(Layer[RollLook]):
    """A layer that paints nothing while no clip is shown."""

    def __init__(self, scene: RollScene) -> None:
        self.scene = scene

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Call `paint_clip` if a clip is shown."""
        if self.scene.shown is not None:
            self.paint_clip(painter, window, self.scene.shown, look)

    @abstractmethod
    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`, for the clip shown."""


class DrawnNotes(ClipLayer):
    """A layer of notes painted from cached rectangles, which other layers share."""

    def __init__(self, scene: RollScene, rects: NoteRects) -> None:
        super().__init__(scene)
        self.rects = rects
        self._unfinished = False

    @property
    def unfinished(self) -> bool:
        """Whether notes are missing and another frame is needed."""
        return self._unfinished

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        self._unfinished = False
        super().paint(painter, window, look)

    def ticks(self, window: QRect) -> tuple[float, float]:
        """The range of ticks, from the clip's start, whose notes may overlap the rectangle `window`."""
        axis = self.scene.axis
        return axis.at(window.left() - axis.row_height), axis.at(window.right() + axis.row_height)

    def draw(
        self, painter: QPainter, notes: tuple[Note, ...], ticks: tuple[float, float], shades: Shades, by: int = 0,
        chosen: frozenset[NoteId] = frozenset(),
    ) -> int:
        """Paint the notes of a clip that begins `by` ticks after the one shown, in a range of ticks of the one shown,
        with frames around those with ids in `chosen`; returns about how many were painted."""
        axis = self.scene.axis
        painter.save()
        painter.translate(axis.x(by), -axis.top)
        count = self.rects.draw(painter, notes, axis, (ticks[0] - by, ticks[1] - by), shades, chosen)
        painter.restore()
        self._unfinished = self._unfinished or self.rects.of(notes).unfinished
        return count


def one_colour(color: QColor, edge: QColor | None = None) -> Shades:
    """Shades with the same colour for all velocities, and an `edge` (None: no edge)."""
    return Shades((color,) * 4, edge, color)


def chosen_together(scene: RollScene) -> frozenset[NoteId]:
    """The ids of the selected notes if they are so many that they are painted together with the others; else empty."""
    ids, shown = scene.selected.value, scene.shown
    apart = len(ids) < _FEW or scene.drums or shown is None or shown.ghost is not None
    return frozenset() if apart else ids
