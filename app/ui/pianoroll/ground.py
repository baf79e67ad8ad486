"""The ground of the piano roll: rows of pitches or of drums, the lit scale, and the grid."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from agent.theory.pitch import in_scale
from app.ui.kit.canvas.painting import fill_all
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.stage import Stage

BLACK = frozenset({1, 3, 6, 8, 10})
"""Pitch classes of the black keys."""
_LINES_FROM_ROW = 8


def paint_ground(painter: QPainter, stage: Stage, window: QRect, look: Look) -> None:
    """Rows and lines in a part of the notes' area."""
    painter.fillRect(window, look.canvas)
    clip = stage.clip
    if clip is None:
        return
    _rows(painter, stage, window, look)
    _grid(painter, stage, window, look)
    axis = stage.axis
    end, bottom = round(axis.x(clip.duration)), axis.rows * axis.row_height - axis.top
    begin = round(axis.x(0))
    if begin > window.left():
        painter.fillRect(QRect(window.left(), window.top(), begin - window.left(), window.height()), look.outside)
    if end <= window.right():
        painter.fillRect(QRect(end, window.top(), window.right() - end + 1, window.height()), look.outside)
        painter.fillRect(end, window.top(), 1, window.height(), look.line2)
    if bottom <= window.bottom():
        painter.fillRect(QRect(window.left(), bottom, window.width(), window.bottom() - bottom + 1), look.outside)


def _rows(painter: QPainter, stage: Stage, window: QRect, look: Look) -> None:
    axis = stage.axis
    tall, lit = axis.row_height, stage.settings.value.light_scale and not stage.drums
    first = max(0, (window.top() + axis.top) // tall)
    last = min(axis.rows - 1, (window.bottom() + axis.top) // tall)
    lines: list[QRect] = []
    for row in range(first, last + 1):
        pitch = axis.pitch_of(row)
        color = _row_color(stage, pitch, row, look, lit=lit)
        y = row * tall - axis.top
        if color is not None:
            painter.fillRect(window.left(), y, window.width(), tall, color)
        octave = pitch % 12 == 0 and not axis.lanes
        if octave:
            painter.fillRect(window.left(), y + tall - 1, window.width(), 1, look.grid3)
        elif tall >= _LINES_FROM_ROW:
            lines.append(QRect(window.left(), y + tall - 1, window.width(), 1))
    fill_all(painter, lines, look.grid)


def _row_color(stage: Stage, pitch: int, row: int, look: Look, *, lit: bool) -> QColor | None:
    if stage.axis.lanes:
        return look.row2 if row % 2 else None
    if lit:
        if pitch % 12 == stage.key.pitch_class:
            return look.tonic
        return look.scale if in_scale(stage.key, pitch) else None
    return look.row2 if pitch % 12 in BLACK else None


def _grid(painter: QPainter, stage: Stage, window: QRect, look: Look) -> None:
    axis, clip = stage.axis, stage.clip
    assert clip is not None
    colors = {"step": look.grid, "beat": look.grid2, "bar": look.grid3}
    places: dict[str, list[QRect]] = {weight: [] for weight in colors}
    top, height = window.top(), window.height()
    for line in stage.lines(window.left(), window.right()):
        places[line.weight].append(QRect(round(axis.x(line.at - clip.start)), top, 1, height))
    for weight, color in colors.items():
        fill_all(painter, places[weight], color)
