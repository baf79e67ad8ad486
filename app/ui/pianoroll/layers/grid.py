"""The ground of the piano roll: rows of pitches or of drums, the lit scale, and the grid."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from agent.theory.pitch import in_scale
from app.ui.canvas.layer import Layer, fill_all
from app.ui.pianoroll.look import BLACK, Look
from app.ui.pianoroll.scene import RollScene

_LINES_FROM_ROW = 8


class Grid(Layer[Look]):
    """Rows and lines within the clip, and what lies outside it."""

    def __init__(self, scene: RollScene) -> None:
        self._scene = scene

    def paint(self, painter: QPainter, window: QRect, look: Look) -> None:
        """A part of the ground."""
        painter.fillRect(window, look.canvas)
        if self._scene.clip is None:
            return
        self._rows(painter, window, look)
        paint_lines(painter, self._scene, window, {"step": look.grid, "beat": look.grid2, "bar": look.grid3})
        paint_outside(painter, self._scene, window, look)
        axis = self._scene.axis
        end, bottom = round(axis.x(axis.length)), axis.height - axis.top
        if end <= window.right():
            painter.fillRect(end, window.top(), 1, window.height(), look.line2)
        if bottom <= window.bottom():
            painter.fillRect(QRect(window.left(), bottom, window.width(), window.bottom() - bottom + 1), look.outside)

    def _rows(self, painter: QPainter, window: QRect, look: Look) -> None:
        axis = self._scene.axis
        tall, lit = axis.row_height, self._scene.settings.value.light_scale and not self._scene.drums
        lines: list[QRect] = []
        for row in axis.rows_between(window.top(), window.bottom()):
            pitch, y = axis.pitch_of(row), axis.row_top(row)
            color = self._row_color(pitch, row, look, lit=lit)
            if color is not None:
                painter.fillRect(window.left(), y, window.width(), tall, color)
            if pitch % 12 == 0 and not axis.lanes:
                painter.fillRect(window.left(), y + tall - 1, window.width(), 1, look.grid3)
            elif tall >= _LINES_FROM_ROW:
                lines.append(QRect(window.left(), y + tall - 1, window.width(), 1))
        fill_all(painter, lines, look.grid)

    def _row_color(self, pitch: int, row: int, look: Look, *, lit: bool) -> QColor | None:
        scene = self._scene
        if scene.axis.lanes:
            return look.row2 if row % 2 else None
        if not lit:
            return look.row2 if pitch % 12 in BLACK else None
        if pitch % 12 == scene.key.pitch_class:
            return look.tonic
        return look.scale if in_scale(scene.key, pitch) else None


def paint_lines(painter: QPainter, scene: RollScene, window: QRect, colors: dict[str, QColor]) -> None:
    """Lines of the grid in the colours of their weights, those without a colour not."""
    places: dict[str, list[QRect]] = {weight: [] for weight in colors}
    start = 0 if scene.clip is None else scene.clip.start
    for line in scene.lines(window.left(), window.right()):
        if line.weight in places:
            place = QRect(round(scene.axis.x(line.at - start)), window.top(), 1, window.height())
            places[line.weight].append(place)
    for weight, color in colors.items():
        fill_all(painter, places[weight], color)


def paint_outside(painter: QPainter, scene: RollScene, window: QRect, look: Look) -> None:
    """What lies before and behind the clip."""
    begin, end = round(scene.axis.x(0)), round(scene.axis.x(scene.axis.length))
    if begin > window.left():
        painter.fillRect(QRect(window.left(), window.top(), begin - window.left(), window.height()), look.outside)
    if end <= window.right():
        painter.fillRect(QRect(end, window.top(), window.right() - end + 1, window.height()), look.outside)
