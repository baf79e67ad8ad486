"""Draws one strip of the mixer."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from app.desktop.mixing import ZERO_AT, fader_share, pan_in_words
from app.desktop.strip_facts import Strip
from app.desktop.timeline_words import decibels_in_words
from app.ui.kit.icons import INSTRUMENT_ICONS, SONG_ICON, pixmap
from app.ui.kit.style import draw_caret, draw_focus
from app.ui.kit.theme import Theme, font
from app.ui.kit.widgets.level_meter import HOT_DB, WARM_DB, Reading, share
from app.ui.mixer.levels import Pair
from app.ui.mixer.strip_layout import STRIP_WIDTH, STRIPE, StripLayout

MARKS = (6.0, 0.0, -6.0, -12.0, -24.0, -48.0)
METER_MARKS = (0, -6, -12, -24, -48)
_CAP = 4
_BAR = 5
_LONGEST = 200
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class StripPainter:
    """Draws strips in the theme of the moment; `themed` after it has changed."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.themed()

    def themed(self) -> None:
        """Take fonts and colours anew."""
        self._tokens = self._theme.tokens
        self._small, self._label, self._strong = font(10), font(11), font(12, 600)
        self._colors: dict[str, QColor] = {}

    def draw(
        self, painter: QPainter, strip: Strip, place: QRect, layout: StripLayout, volume: float, pan: float,
        levels: Pair, *, chosen: bool, focused: bool,
    ) -> None:
        """One whole strip, at `place`."""
        painter.save()
        painter.translate(place.topLeft())
        painter.fillRect(0, 0, STRIP_WIDTH, place.height(), self._color("you_soft" if chosen else "panel"))
        painter.fillRect(STRIP_WIDTH - 1, 0, 1, place.height(), self._color("line"))
        painter.fillRect(0, 0, STRIP_WIDTH - 1, STRIPE, QColor(strip.color))
        self._name(painter, strip, layout)
        self._instrument(painter, strip, layout)
        self._pan(painter, strip, layout, pan)
        self._fader(painter, layout, volume)
        self._value(painter, strip, layout, volume)
        self._toggle(painter, layout.mute, "M", "warn", on=strip.mute)
        self._toggle(painter, layout.solo, "S", "you", on=strip.solo)
        if strip.locked:
            self._icon(painter, layout.lock, "lock-simple", "t2", 14)
        self._meter(painter, layout, levels)
        if focused:
            draw_focus(painter, QRectF(0, 0, STRIP_WIDTH - 1, place.height()), self._tokens)
        painter.restore()

    def draw_meter(self, painter: QPainter, place: QRect, layout: StripLayout, levels: Pair, *, chosen: bool) -> None:
        """Only the meter of the strip at `place`."""
        painter.save()
        painter.translate(place.topLeft())
        painter.fillRect(layout.meter, self._color("you_soft" if chosen else "panel"))
        self._meter(painter, layout, levels)
        painter.restore()

    def _name(self, painter: QPainter, strip: Strip, layout: StripLayout) -> None:
        room = layout.name
        icon = INSTRUMENT_ICONS.get(strip.family, SONG_ICON)
        self._icon(painter, QRect(room.left(), room.top(), 14, room.height()), icon, "t2", 14)
        self._text(painter, room.adjusted(18, 0, 0, 0), strip.name, self._strong, "t1", _LEFT)

    def _instrument(self, painter: QPainter, strip: Strip, layout: StripLayout) -> None:
        room = layout.instrument
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._color("line2"), 1))
        painter.setBrush(self._color("ctl"))
        painter.drawRoundedRect(QRectF(room).adjusted(0.5, 0.5, -0.5, -0.5), 3.5, 3.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        token = "t1" if strip.family else "warn"
        self._text(painter, room.adjusted(5, 0, -14, 0), strip.instrument, self._label, token, _LEFT)
        draw_caret(painter, QRectF(room.right() - 13, room.top(), 12, room.height()), "down", self._tokens)

    def _pan(self, painter: QPainter, strip: Strip, layout: StripLayout, pan: float) -> None:
        room, middle = layout.pan, layout.pan.center().y()
        painter.fillRect(layout.pan_x(-1), middle, layout.pan_way, 2, self._color("line3"))
        painter.fillRect(layout.pan_x(0), middle - 3, 1, 8, self._color("line3"))
        self._handle(painter, QRect(layout.pan_x(pan) - 3, middle - 4, 6, 10))
        if strip.moves_pan:
            self._icon(painter, QRect(layout.pan_x(-1), room.top() - 1, 10, 8), "chart-line", "you", 10)
        self._text(painter, room.adjusted(40, 0, 0, 0), pan_in_words(pan), self._small, "t3", _RIGHT)

    def _fader(self, painter: QPainter, layout: StripLayout, volume: float) -> None:
        room = layout.fader
        axis = layout.knob(0).center().x()
        painter.fillRect(axis, room.top() + 5, 2, room.height() - 10, self._color("line3"))
        painter.setFont(self._small)
        painter.setPen(self._color("t3"))
        last = -100
        for mark in MARKS:
            y = layout.knob(fader_share(mark)).center().y() + 1
            if y - last < 12:
                continue
            last = y
            painter.fillRect(axis + 11, y, 3, 1, self._color("line3"))
            painter.drawText(QRect(axis + 14, y - 6, 18, 12), _RIGHT, f"{abs(mark):.0f}")
        zero = layout.knob(ZERO_AT).center().y() + 1
        painter.fillRect(axis - 7, zero, 16, 1, self._color("t3"))
        self._handle(painter, layout.knob(fader_share(volume)))
        knob = layout.knob(fader_share(volume))
        painter.fillRect(knob.left() + 2, knob.center().y(), knob.width() - 4, 1, self._color("panel"))

    def _value(self, painter: QPainter, strip: Strip, layout: StripLayout, volume: float) -> None:
        room = layout.value
        painter.fillRect(room.adjusted(0, 1, 0, -1), self._color("well"))
        if strip.moves_volume:
            self._icon(painter, QRect(room.left() + 3, room.top(), 14, room.height()), "chart-line", "you", 12)
        self._text(painter, room.adjusted(18, 0, -4, 0), decibels_in_words(volume), self._label, "t1", _RIGHT)

    def _toggle(self, painter: QPainter, room: QRect, letter: str, token: str, *, on: bool) -> None:
        box = room.adjusted(0, 1, 0, -1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._color(token if on else "line2"), 1))
        painter.setBrush(self._color(token if on else "ctl"))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setFont(self._strong if on else self._label)
        painter.setPen(QColor("#17181A" if self._tokens.dark else "#FFFFFF") if on else self._color("t2"))
        painter.drawText(box, _CENTRE, letter)

    def _meter(self, painter: QPainter, layout: StripLayout, levels: Pair) -> None:
        room = layout.meter
        for index, reading in enumerate(levels):
            left = room.left() + index * (_BAR + 1)
            self._bar(painter, reading, QRect(left, room.top(), _BAR, room.height()))
        painter.setFont(self._small)
        painter.setPen(self._color("t3"))
        top, way, last = room.top() + _CAP + 1, room.height() - _CAP - 1, -100
        for mark in METER_MARKS:
            y = top + round(way * (1 - share(mark)))
            if y - last >= 11 and y < room.bottom() - 4:
                last = y
                painter.drawText(QRect(room.left() + 11, max(room.top(), y - 6), 13, 12), _RIGHT, str(-mark))

    def _bar(self, painter: QPainter, reading: Reading, room: QRect) -> None:
        painter.fillRect(room, self._color("ctl"))
        top, way = room.top() + _CAP + 1, room.height() - _CAP - 1
        low = 0.0
        for token, upto in (("meter", WARM_DB), ("agent_fill", HOT_DB), ("bad", 0.0)):
            high = share(min(reading.level, upto))
            if high > low:
                first, last = round(way * (1 - high)), round(way * (1 - low))
                painter.fillRect(room.left(), top + first, room.width(), last - first, self._color(token))
            low = max(low, share(upto))
        if not reading.at_rest:
            painter.fillRect(room.left(), top + round(way * (1 - share(reading.peak))), room.width(), 1,
                             self._color("t1"))
        if reading.clipped:
            painter.fillRect(room.left(), room.top(), room.width(), _CAP, self._color("bad"))

    def _handle(self, painter: QPainter, knob: QRect) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color("t1"))
        painter.drawRoundedRect(QRectF(knob), 2, 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _icon(self, painter: QPainter, room: QRect, name: str, token: str, size: int) -> None:
        ratio = painter.device().devicePixelRatio()
        drawn = pixmap(name, self._color(token), size, ratio)
        painter.drawPixmap(QPointF(room.left() + (room.width() - size) // 2, room.top() + (room.height() - size) // 2),
                           drawn)

    def _text(
        self, painter: QPainter, room: QRect, text: str, used: QFont, token: str, side: Qt.AlignmentFlag
    ) -> None:
        line = " ".join(text[:_LONGEST].split())
        painter.setFont(used)
        painter.setPen(self._color(token))
        cut = QFontMetrics(used).elidedText(line, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, side | Qt.TextFlag.TextSingleLine, cut)

    def _color(self, token: str) -> QColor:
        color = self._colors.get(token)
        if color is None:
            color = self._colors[token] = QColor(getattr(self._tokens, token))
        return color
