"""The ground of the comparison's piano roll: keys, lines of bars and beats, ruler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from agent.song.song import Song
from app.ui.kit.theme import Theme, font
from app.words import tr

if TYPE_CHECKING:
    from app.ui.history.difference_roll import DifferenceRoll

KEYS = 56
RULER = 20
VELOCITY = 76
_BLACK = frozenset({1, 3, 6, 8, 10})
_BLACK_SHARE = 0.6
_BEATS_FROM = 14.0
_BARS_FROM = 10.0
_NUMBER_ROOM = 34.0


def paint_ground(painter: QPainter, roll: DifferenceRoll, song: Song, first: int, last: int, theme: Theme) -> None:
    """All that stands under the notes between two ticks; ruler and keys as well."""
    width, height = roll.viewport().width(), roll.viewport().height()
    painter.fillRect(0, 0, width, height, theme.color("canvas"))
    bottom = height - VELOCITY
    _rows(painter, roll, theme, width, bottom)
    _lines(painter, roll, song, (first, last), theme, height)
    painter.fillRect(0, 0, width, RULER, theme.color("bar"))
    _numbers(painter, roll, song, (first, last), theme)
    _keys(painter, roll, theme, bottom)
    painter.fillRect(0, 0, KEYS, RULER, theme.color("bar"))
    painter.fillRect(0, bottom, KEYS, VELOCITY, theme.color("panel"))
    painter.fillRect(0, bottom, width, 1, theme.color("line2"))
    painter.setPen(theme.color("t3"))
    painter.setFont(font(10))
    painter.drawText(QRectF(4, bottom + 4, KEYS - 6, 14), Qt.AlignmentFlag.AlignLeft, tr("Velocity"))


def _rows(painter: QPainter, roll: DifferenceRoll, theme: Theme, width: int, bottom: int) -> None:
    row = roll.row
    for pitch in range(roll.scene.low, roll.scene.high + 1):
        y = roll.y_of(pitch)
        if RULER - row < y < bottom:
            if pitch % 12 in _BLACK:
                painter.fillRect(QRectF(KEYS, y, width - KEYS, row), theme.color("row2"))
            line = "grid2" if pitch % 12 == 0 else "grid"
            painter.fillRect(QRectF(KEYS, round(y + row) - 1, width - KEYS, 1), theme.color(line))


def _lines(
    painter: QPainter, roll: DifferenceRoll, song: Song, span: tuple[int, int], theme: Theme, height: int
) -> None:
    for bar, start, step, wide in _bars(roll, song, span):
        if wide >= _BEATS_FROM * 4:
            meter = song.bar_map.meter_at(start)
            for beat in range(1, meter.beats):
                x = roll.x_of(start + beat * step / meter.beats)
                painter.fillRect(QRectF(round(x), RULER, 1, height - RULER), theme.color("grid"))
        token = "grid3" if (bar - 1) % 4 == 0 else "grid2"
        if wide >= _BARS_FROM or (bar - 1) % 4 == 0:
            painter.fillRect(QRectF(round(roll.x_of(start)), RULER, 1, height - RULER), theme.color(token))


def _numbers(painter: QPainter, roll: DifferenceRoll, song: Song, span: tuple[int, int], theme: Theme) -> None:
    painter.setFont(font(10))
    painter.setPen(theme.color("t3"))
    free = 0.0
    for bar, start, _, _ in _bars(roll, song, span):
        x = roll.x_of(start)
        if x >= free and x > KEYS - _NUMBER_ROOM:
            painter.fillRect(QRectF(round(x), RULER - 12, 1, 12), theme.color("line3"))
            painter.drawText(QRectF(x + 4, 0, _NUMBER_ROOM, RULER), Qt.AlignmentFlag.AlignVCenter, str(bar))
            free = x + _NUMBER_ROOM


def _bars(roll: DifferenceRoll, song: Song, span: tuple[int, int]) -> list[tuple[int, int, int, float]]:
    """Number, start and length in ticks, and width, of each bar between two ticks; some hundred at most."""
    bars = song.bar_map
    bar, last = bars.bar_at(max(0, span[0])), bars.bar_at(max(0, min(span[1], roll.scene.end + 4 * 3840)))
    step = max(1, (last - bar) // 400)
    found = []
    while bar <= last:
        start, end = bars.start_of(bar), bars.start_of(bar + 1)
        found.append((bar, int(start), int(end - start), (end - start) * roll.scale))
        bar += step
    return found


def _keys(painter: QPainter, roll: DifferenceRoll, theme: Theme, bottom: int) -> None:
    row = roll.row
    light, dark = ("t2", "frame") if theme.tokens.dark else ("well", "t2")
    painter.setFont(font(10))
    for pitch in range(roll.scene.low, roll.scene.high + 1):
        y = roll.y_of(pitch)
        if not RULER - row < y < bottom:
            continue
        painter.fillRect(QRectF(0, y, KEYS, row), theme.color(light))
        if pitch % 12 in _BLACK:
            painter.fillRect(QRectF(KEYS * (1 - _BLACK_SHARE), y, KEYS * _BLACK_SHARE, row), theme.color(dark))
        else:
            painter.fillRect(QRectF(0, round(y + row) - 1, KEYS, 1), theme.color("line3"))
        if pitch % 12 == 0:
            painter.setPen(theme.color("on_agent"))
            painter.drawText(QRectF(4, y, KEYS - 8, row), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
                             f"C{pitch // 12 - 1}")
