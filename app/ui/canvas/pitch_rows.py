"""Rows of pitches under notes, and the keys of a piano beside them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from app.ui.canvas.layer import fill_all
from app.ui.canvas.look import RIGHT, CanvasLook
from app.ui.canvas.time_axis import PitchAxis

BLACK = frozenset({1, 3, 6, 8, 10})
"""Pitch classes of the black keys."""
_LINES_FROM_ROW = 8
_BLACK_SHARE = 0.62
_INSET = 6


def paint_rows(
    painter: QPainter, axis: PitchAxis, window: QRect, look: CanvasLook, color_of: Callable[[int], QColor | None], *,
    octaves: bool,
) -> None:
    """Paint the rows in a part of a view, each in the colour that `color_of` returns for its pitch (None: no colour),
    with lines between them, stronger ones between `octaves`."""
    tall = axis.row_height
    lines: list[QRect] = []
    strong: list[QRect] = []
    for row in axis.rows_between(window.top(), window.bottom()):
        pitch, y = axis.pitch_of(row), axis.row_top(row)
        color = color_of(pitch)
        if color is not None:
            painter.fillRect(window.left(), y, window.width(), tall, color)
        line = QRect(window.left(), y + tall - 1, window.width(), 1)
        if octaves and pitch % 12 == 0:
            strong.append(line)
        elif tall >= _LINES_FROM_ROW:
            lines.append(line)
    fill_all(painter, lines, look.grid)
    fill_all(painter, strong, look.grid3)


def paint_key(painter: QPainter, pitch: int, place: QRect, look: CanvasLook, *, held: bool = False) -> None:
    """Paint the white or black key of a pitch; lit while it is `held`."""
    black = pitch % 12 in BLACK
    painter.fillRect(place, look.you if held and not black else look.white_key)
    if pitch % 12 in (0, 5):
        painter.fillRect(place.left(), place.bottom(), place.width(), 1, look.line3)
    if black:
        part = QRect(place.left(), place.top(), round(place.width() * _BLACK_SHARE), place.height())
        painter.fillRect(part, look.you if held else look.black_key)
        painter.fillRect(part.right(), place.center().y(), place.width() - part.width(), 1, look.line3)


def paint_key_name(painter: QPainter, name: str, place: QRect, look: CanvasLook, *, strong: bool) -> None:
    """Paint the name of a pitch at the end of its key; in semi-bold if `strong`."""
    painter.setFont(look.note_font if strong else look.ruler_font)
    painter.setPen(look.on_white)
    painter.drawText(place.adjusted(0, -1, -_INSET, 0), RIGHT, name)
