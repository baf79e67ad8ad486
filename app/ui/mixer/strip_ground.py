"""What all strips have in common, drawn once: scales, ways, boxes, and toggles that are off."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from app.ui.kit.style import draw_caret
from app.ui.kit.theme import font
from app.ui.kit.tokens import Tokens
from app.ui.kit.widgets.level_meter import share
from app.ui.mixer.strip_layout import CAP, STRIP_WIDTH, StripLayout
from app.viewmodels.edits.mixing import ZERO_AT, fader_share

MARKS = (6.0, 0.0, -6.0, -12.0, -24.0, -48.0)
METER_MARKS = (0, -6, -12, -24, -48)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def drawn_ground(layout: StripLayout, tokens: Tokens, ratio: float, *, chosen: bool) -> QPixmap:
    """The picture of an empty strip: scales, tracks of faders, boxes, and toggles that are off. `ratio` is the device
    pixel ratio; `chosen` marks the current track."""
    made = QPixmap(round(STRIP_WIDTH * ratio), round(layout.height * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(tokens.you_soft if chosen else tokens.panel))
    painter = QPainter(made)
    painter.fillRect(STRIP_WIDTH - 1, 0, 1, layout.height, QColor(tokens.line))
    _box(painter, layout.instrument, tokens, 3.5)
    draw_caret(painter, QRectF(layout.caret), "down", tokens)
    _pan(painter, layout, tokens)
    _fader(painter, layout, tokens)
    _meter(painter, layout, tokens)
    painter.fillRect(layout.value.adjusted(0, 1, 0, -1), QColor(tokens.well))
    for letter, place in (("M", layout.mute), ("S", layout.solo)):
        draw_toggle(painter, place, letter, tokens, "")
    painter.end()
    return made


def draw_toggle(painter: QPainter, place: QRect, letter: str, tokens: Tokens, token: str) -> None:
    """Paint a small button with a letter, filled with the colour of `token` if it is on, with "" if it is off."""
    box = place.adjusted(0, 1, 0, -1)
    if token:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(tokens, token)))
        painter.drawRoundedRect(QRectF(box), 3, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    else:
        _box(painter, box, tokens, 2.5)
    painter.setFont(font(12, 600) if token else font(11))
    painter.setPen(QColor(tokens.on_agent if tokens.dark else tokens.on_you) if token else QColor(tokens.t2))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)


def _box(painter: QPainter, place: QRect, tokens: Tokens, radius: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(tokens.line2), 1))
    painter.setBrush(QColor(tokens.ctl))
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _pan(painter: QPainter, layout: StripLayout, tokens: Tokens) -> None:
    middle = layout.pan.center().y()
    painter.fillRect(layout.pan_x(-1), middle, layout.pan_way, 2, QColor(tokens.line3))
    painter.fillRect(layout.pan_x(0), middle - 3, 1, 8, QColor(tokens.line3))


def _fader(painter: QPainter, layout: StripLayout, tokens: Tokens) -> None:
    room = layout.fader
    axis = layout.knob(0).center().x()
    painter.fillRect(axis, room.top() + 5, 2, room.height() - 10, QColor(tokens.line3))
    painter.setFont(font(10))
    painter.setPen(QColor(tokens.t3))
    last = -100
    for mark in MARKS:
        y = layout.knob(fader_share(mark)).center().y() + 1
        if y - last >= 12:
            last = y
            painter.fillRect(axis + 11, y, 3, 1, QColor(tokens.line3))
            painter.drawText(QRect(axis + 14, y - 6, 18, 12), _RIGHT, f"{abs(mark):.0f}")
    painter.fillRect(axis - 7, layout.knob(ZERO_AT).center().y() + 1, 16, 1, QColor(tokens.t3))


def _meter(painter: QPainter, layout: StripLayout, tokens: Tokens) -> None:
    room = layout.meter
    for bar in layout.bars:
        painter.fillRect(bar, QColor(tokens.ctl))
    painter.setFont(font(10))
    painter.setPen(QColor(tokens.t3))
    top, way, last = room.top() + CAP + 1, room.height() - CAP - 1, -100
    for mark in METER_MARKS:
        y = top + round(way * (1 - share(mark)))
        if y - last >= 11 and y < room.bottom() - 4:
            last = y
            painter.drawText(QRect(room.left() + 11, max(room.top(), y - 6), 13, 12), _RIGHT, str(-mark))
