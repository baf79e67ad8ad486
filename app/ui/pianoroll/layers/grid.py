"""The ground of the piano roll: rows of pitches or of drums, the lit scale, and the grid."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from agent.theory.pitch import in_scale
from app.ui.canvas.layer import Layer
from app.ui.canvas.pitch_rows import BLACK, paint_rows
from app.ui.canvas.ruler import Weights, paint_lines
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.scene import RollScene


class GridLayer(Layer[RollLook]):
    """Paints rows and grid lines within the clip, and the ground outside it."""

    def __init__(self, scene: RollScene) -> None:
        self._scene = scene

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        painter.fillRect(window, look.canvas)
        if self._scene.clip is None:
            return
        scene, axis = self._scene, self._scene.axis
        paint_rows(painter, axis, window, look, lambda pitch: self._row_color(pitch, look), octaves=not axis.lanes)
        lines = scene.lines(window.left(), window.right())
        weights: Weights = {"step": look.grid, "beat": look.grid2, "bar": look.grid3}
        paint_lines(painter, axis, lines, scene.start, window, weights)
        paint_outside(painter, scene, window, look)
        end, bottom = round(axis.x(axis.length)), axis.height - axis.top
        if end <= window.right():
            painter.fillRect(end, window.top(), 1, window.height(), look.line2)
        if bottom <= window.bottom():
            painter.fillRect(QRect(window.left(), bottom, window.width(), window.bottom() - bottom + 1), look.panel)

    def _row_color(self, pitch: int, look: RollLook) -> QColor | None:
        scene = self._scene
        if scene.axis.lanes:
            return look.row2 if scene.axis.row(pitch) % 2 else None
        if not scene.settings.value.light_scale or scene.drums:
            return look.row2 if pitch % 12 in BLACK else None
        if pitch % 12 == scene.key.pitch_class:
            return look.tonic
        return look.scale if in_scale(scene.key, pitch) else None


def paint_outside(painter: QPainter, scene: RollScene, window: QRect, look: RollLook) -> None:
    """Paint the ground before the clip's start and after its end."""
    begin, end = round(scene.axis.x(0)), round(scene.axis.x(scene.axis.length))
    if begin > window.left():
        painter.fillRect(QRect(window.left(), window.top(), begin - window.left(), window.height()), look.panel)
    if end <= window.right():
        painter.fillRect(QRect(end, window.top(), window.right() - end + 1, window.height()), look.panel)
