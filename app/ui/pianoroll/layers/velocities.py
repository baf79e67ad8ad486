"""The lane below the notes: a bar for the velocity of each."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from agent.song.ids import NoteId
from app.ui.canvas.layer import fill_all
from app.ui.canvas.note_layer import BAR_WIDTH, NoteRects
from app.ui.canvas.ruler import paint_lines
from app.ui.canvas.tool import Pointer
from app.ui.pianoroll.layers.clip_layer import DrawnNotes
from app.ui.pianoroll.layers.grid import paint_outside
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.velocity import VelocityDrag, y_of
from app.viewmodels.pianoroll.shown import Shown


class Velocities(DrawnNotes):
    """Paints a velocity bar for each note, and over them those being dragged."""

    def __init__(self, scene: RollScene, rects: NoteRects, pointer: Pointer[VelocityDrag]) -> None:
        super().__init__(scene, rects)
        self._pointer = pointer

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        painter.fillRect(window, look.canvas)
        super().paint(painter, window, look)
        painter.fillRect(window.left(), 0, window.width(), 1, look.line2)

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint grid, bars, dragged bars and the ground outside the clip."""
        drag = self._pointer.drag
        wanted = {} if drag is None else drag.velocities
        lines = self.scene.lines(window.left(), window.right())
        paint_lines(painter, self.scene.axis, lines, shown.clip.start, window, {"beat": look.grid, "bar": look.grid3})
        if len(wanted) < len(shown.clip.notes):
            self._bars(painter, window, shown, look)
        if wanted:
            self._over(painter, window, wanted, look)
        paint_outside(painter, self.scene, window, look)
        if drag is not None:
            drag.paint(painter, look)

    def _bars(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        axis, height, tones = self.scene.axis, painter.viewport().height(), look.notes(shown.track.color)
        chunks = self.rects.of(shown.clip.notes)
        bars, chosen = chunks.bars_between(*self._span(window), axis.per_beat, self.scene.selected.value)
        self._unfinished = chunks.bars_unfinished
        painter.save()
        painter.translate(axis.x(0), y_of(127, height))
        painter.scale(axis.per_beat, (y_of(1, height) - y_of(127, height)) / 126)
        # Height tells how loud; the softer fills would hardly be seen on a light ground.
        fill_all(painter, bars, tones.outline if shown.ghost is not None else tones.edge)
        fill_all(painter, chosen, look.t1)
        painter.restore()

    def _over(self, painter: QPainter, window: QRect, wanted: Mapping[NoteId, float], look: RollLook) -> None:
        axis, height = self.scene.axis, painter.viewport().height()
        gone: list[QRect] = []
        bars: list[QRect] = []
        for note in self.scene.index.starting(*self._span(window)):
            if note.id in wanted:
                x, y = round(axis.x(note.start)), round(y_of(wanted[note.id], height))
                gone.append(QRect(x - 1, 1, BAR_WIDTH + 2, height))
                bars += [QRect(x, y, 2, height - y), QRect(x, y, BAR_WIDTH, 3)]
        fill_all(painter, gone, look.canvas)
        fill_all(painter, bars, look.t1)

    def _span(self, window: QRect) -> tuple[float, float]:
        """Ticks of the notes whose bars may touch the window."""
        axis = self.scene.axis
        return axis.at(window.left() - BAR_WIDTH), axis.at(window.right() + BAR_WIDTH)
