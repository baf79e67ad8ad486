"""Lines of bars, beats and steps, and the numbers of bars on a ruler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from agent.song.time import PPQ, BarMap
from app.ui.canvas.layer import fill_all
from app.ui.canvas.look import LEFT, CanvasLook
from app.ui.canvas.time_axis import TimeAxis
from app.viewmodels.pianoroll.grid import GridLine, Weight

LABEL_ROOM = 40
"""Pixels that the number of a bar needs."""
Weights = Mapping[Weight, QColor]
"""Colours of grid lines by their weight."""
_TALL: Mapping[Weight, int] = {"bar": 12, "beat": 5, "step": 3}
_INSET, _BELOW = 4, 3


def paint_lines(
    painter: QPainter, axis: TimeAxis, lines: Iterable[GridLine], start: int, window: QRect,
    colors: Weights,
) -> None:
    """Paint grid lines in the colours of their weights; those of a weight without colour are left out. `start` is the
    song's tick at the axis's 0."""
    places: dict[Weight, list[QRect]] = {weight: [] for weight in colors}
    for line in lines:
        if line.weight in places:
            places[line.weight].append(QRect(round(axis.x(line.at - start)), window.top(), 1, window.height()))
    for weight, color in colors.items():
        fill_all(painter, places[weight], color)


def paint_bars(
    painter: QPainter, axis: TimeAxis, lines: Iterable[GridLine], start: int, bars: BarMap, place: QRect,
    look: CanvasLook,
) -> None:
    """Paint ticks at the lower edge of a ruler, and numbers of bars where there is room; `start` is the song's tick at
    the axis's 0."""
    painter.setFont(look.ruler_font)
    painter.setPen(look.t3)
    marks: list[QRect] = []
    for line in lines:
        x, height = round(axis.x(line.at - start)), _TALL[line.weight]
        marks.append(QRect(x, place.bottom() - height, 1, height))
        if line.bar is not None and line.at < start + axis.length and _is_numbered(bars, line.bar, axis):
            room = QRect(x + _INSET, place.top(), LABEL_ROOM, place.height() - _BELOW)
            painter.drawText(room, LEFT, str(line.bar))
    fill_all(painter, marks, look.line3)


def _is_numbered(bars: BarMap, bar: int, axis: TimeAxis) -> bool:
    """Whether a bar, counted from 1, has its number: each, or every second, fourth and so on where bars are narrow."""
    width = bars.meter_at(bars.start_of(bar)).bar_length / PPQ * axis.per_beat
    every = 1
    while width * every < LABEL_ROOM:
        every *= 2
    return (bar - 1) % every == 0
