"""Draws one strip of the mixer."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap

from app.ui.kit.icons import INSTRUMENT_ICONS, SONG_ICON, pixmap
from app.ui.kit.style import draw_caret, draw_focus
from app.ui.kit.theme import font
from app.ui.kit.tokens import Tokens
from app.ui.kit.track_levels import Pair
from app.ui.kit.widgets.level_meter import HOT_DB, WARM_DB, MeterReading, share
from app.ui.mixer.strip_layout import CAP, STRIP_WIDTH, STRIPE, StripLayout
from app.viewmodels.edits.mixing import ZERO_AT, fader_share, pan_in_words
from app.viewmodels.edits.strip_facts import MixerStrip
from app.viewmodels.texts.figures import decibels

_LONGEST = 200
_MOST_CUT = 2_000
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_TOP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class StripPainter:
    """Paints strips in one theme, with cached pictures of their backgrounds; `ratio` is the screen's device pixel
    ratio."""

    def __init__(self, tokens: Tokens, ratio: float) -> None:
        self._tokens = tokens
        self._ratio = ratio
        self._small, self._label, self._strong = font(10), font(11), font(12, 600)
        self._colors: dict[str, QColor] = {}
        self._grounds: dict[tuple[int, bool], QPixmap] = {}
        self._cut: dict[tuple[str, bool, int], str] = {}
        self._lines: dict[str, str] = {}

    def draw(
        self, painter: QPainter, strip: MixerStrip, place: QRect, layout: StripLayout, volume: float, pan: float,
        levels: Pair, *, chosen: bool, focused: bool,
    ) -> None:
        """Paint a whole strip in rectangle `place`; volume is in dB, pan -1 to 1, `levels` of the left and right
        channel. `chosen`: it is the current track; `focused`: it has the keyboard."""
        painter.translate(place.topLeft())
        painter.drawPixmap(0, 0, self._ground(layout, chosen=chosen))
        painter.fillRect(0, 0, STRIP_WIDTH - 1, STRIPE, QColor(strip.color))
        self._head(painter, strip, layout)
        self._pan(painter, strip, layout, pan)
        knob = layout.knob(fader_share(volume))
        self._handle(painter, knob)
        painter.fillRect(knob.left() + 2, knob.center().y(), knob.width() - 4, 1, self._color("panel"))
        self._value(painter, strip, layout, volume)
        if strip.mute:
            _draw_toggle(painter, layout.mute, "M", self._tokens, "warn")
        if strip.solo:
            _draw_toggle(painter, layout.solo, "S", self._tokens, "you")
        if strip.locked:
            self._icon(painter, layout.lock, "lock-simple", "t2", 14)
        for bar, reading in zip(layout.bars, levels, strict=True):
            self._level(painter, reading, bar)
        if focused:
            draw_focus(painter, QRectF(0, 0, STRIP_WIDTH - 1, place.height()), self._tokens)
        painter.translate(-place.topLeft())

    def draw_bars(self, painter: QPainter, place: QRect, layout: StripLayout, levels: Pair) -> None:
        """Paint only the meter bars of the strip in rectangle `place`."""
        painter.translate(place.topLeft())
        for bar, reading in zip(layout.bars, levels, strict=True):
            painter.fillRect(bar, self._color("ctl"))
            self._level(painter, reading, bar)
        painter.translate(-place.topLeft())

    def _ground(self, layout: StripLayout, *, chosen: bool) -> QPixmap:
        made = self._grounds.get((layout.height, chosen))
        if made is None:
            # Only the height of now is of use: while the panel is resized there are many.
            self._grounds = {key: kept for key, kept in self._grounds.items() if key[0] == layout.height}
            made = _drawn_ground(layout, self._tokens, self._ratio, chosen=chosen)
            self._grounds[layout.height, chosen] = made
        return made

    def _head(self, painter: QPainter, strip: MixerStrip, layout: StripLayout) -> None:
        self._text(painter, layout.name, strip.name, self._strong, "t1")
        self._icon(painter, layout.icon, INSTRUMENT_ICONS.get(strip.family, SONG_ICON), "t2", 14)
        token = "t1" if strip.family else "warn"
        painter.setFont(self._label)
        painter.setPen(self._color(token))
        painter.drawText(layout.words, _TOP, self._two_lines(strip.instrument, layout.words.width()))

    def _pan(self, painter: QPainter, strip: MixerStrip, layout: StripLayout, pan: float) -> None:
        room = layout.pan
        self._handle(painter, QRect(layout.pan_x(pan) - 3, room.center().y() - 4, 6, 10))
        if strip.moves_pan:
            self._icon(painter, QRect(layout.pan_x(-1), room.top() - 1, 10, 8), "chart-line", "you", 10)
        self._number(painter, room.adjusted(50, 0, 0, 0), pan_in_words(pan), self._small, "t3")

    def _value(self, painter: QPainter, strip: MixerStrip, layout: StripLayout, volume: float) -> None:
        room = layout.value
        if strip.moves_volume:
            self._icon(painter, QRect(room.left() + 3, room.top(), 14, room.height()), "chart-line", "you", 12)
        self._number(painter, room.adjusted(18, 0, -4, 0), decibels(volume), self._label, "t1")

    def _level(self, painter: QPainter, reading: MeterReading, room: QRect) -> None:
        if reading.clipped:
            painter.fillRect(room.left(), room.top(), room.width(), CAP, self._color("bad"))
        if reading.at_rest:
            return
        top, way = room.top() + CAP + 1, room.height() - CAP - 1
        low = 0.0
        for token, upto in (("meter", WARM_DB), ("agent_fill", HOT_DB), ("bad", 0.0)):
            high = share(min(reading.level, upto))
            if high <= low:
                break
            first, last = round(way * (1 - high)), round(way * (1 - low))
            painter.fillRect(room.left(), top + first, room.width(), last - first, self._color(token))
            low = share(upto)
        mark = top + round(way * (1 - share(reading.peak)))
        painter.fillRect(room.left(), mark, room.width(), 1, self._color("t1"))

    def _handle(self, painter: QPainter, knob: QRect) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color("t1"))
        painter.drawRoundedRect(QRectF(knob), 2, 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _icon(self, painter: QPainter, room: QRect, name: str, token: str, size: int) -> None:
        drawn = pixmap(name, self._color(token), size, self._ratio)
        left, top = room.left() + (room.width() - size) // 2, room.top() + (room.height() - size) // 2
        painter.drawPixmap(QPointF(left, top), drawn)

    def _text(self, painter: QPainter, room: QRect, text: str, used: QFont, token: str) -> None:
        """Words, cut to their room."""
        key = text[:_LONGEST], used is self._strong, room.width()
        cut = self._cut.get(key)
        if cut is None:
            if len(self._cut) > _MOST_CUT:
                self._cut.clear()
            line = " ".join(key[0].split())
            cut = QFontMetrics(used).elidedText(line, Qt.TextElideMode.ElideRight, room.width())
            self._cut[key] = cut
        painter.setFont(used)
        painter.setPen(self._color(token))
        painter.drawText(room, _LEFT | Qt.TextFlag.TextSingleLine, cut)

    def _two_lines(self, text: str, width: int) -> str:
        """As many words as the first line holds, and the rest below, cut to its room."""
        made = self._lines.get(text)
        if made is None:
            if len(self._lines) > _MOST_CUT:
                self._lines.clear()
            metrics, words = QFontMetrics(self._label), text[:_LONGEST].split()
            fits = [at for at in range(1, len(words) + 1) if metrics.horizontalAdvance(" ".join(words[:at])) <= width]
            first = max(fits, default=1)
            both = (" ".join(words[:first]), " ".join(words[first:]))
            cut = [metrics.elidedText(one, Qt.TextElideMode.ElideRight, width) for one in both]
            made = self._lines[text] = "\n".join(cut)
        return made

    def _number(self, painter: QPainter, room: QRect, text: str, used: QFont, token: str) -> None:
        painter.setFont(used)
        painter.setPen(self._color(token))
        painter.drawText(room, _RIGHT | Qt.TextFlag.TextSingleLine, text)

    def _color(self, token: str) -> QColor:
        color = self._colors.get(token)
        if color is None:
            color = self._colors[token] = QColor(getattr(self._tokens, token))
        return color


MARKS = (6.0, 0.0, -6.0, -12.0, -24.0, -48.0)
METER_MARKS = (0, -6, -12, -24, -48)


def _drawn_ground(layout: StripLayout, tokens: Tokens, ratio: float, *, chosen: bool) -> QPixmap:
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
        _draw_toggle(painter, place, letter, tokens, "")
    painter.end()
    return made


def _draw_toggle(painter: QPainter, place: QRect, letter: str, tokens: Tokens, token: str) -> None:
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
