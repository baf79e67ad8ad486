"""Paints the ruler: sections, bars, flags of tempo and meter, chosen bars, the loop and the playhead's head."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.locks import BarsLock
from app.ui.canvas.layer import fill_all
from app.ui.canvas.playhead import draw_playhead
from app.ui.timeline.fonts import CENTRE, LEFT, RIGHT, Fonts
from app.ui.timeline.ghost_painter import draw_dashed, draw_hatch
from app.ui.timeline.marks import LOCK_HEIGHT, LOCK_WIDTH, draw_badge, draw_icon, draw_lock
from app.ui.timeline.measures import (
    BARS_TOP,
    CORNER_ICON,
    GHOST_OUTLINE,
    LIT_OUTLINE,
    LOOP_BAR,
    NAME_INSET,
    SECTION_HEIGHT,
    TOP_HEIGHT,
)
from app.ui.timeline.ruler_layout import PROHIBIT, SECTION_EDGE, Flag, RulerLayout, badge_room
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Tones
from app.viewmodels.timeline.layout import lines_between
from app.viewmodels.timeline.marks import Marker

FLAG_HEIGHT = 16
FLAG_TOP = 2
TALL = {"strong": 14, "bar": 6, "beat": 3}
BARS_SHARE = 40
"""Alpha (0-255) of the colour over chosen bars."""


class RulerPainter:
    """Paints the ruler."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage

    def paint(
        self, painter: QPainter, window: QRect, whole: QRect, laid: RulerLayout, ring: Marker | None, tones: Tones,
        fonts: Fonts,
    ) -> None:
        """Paint what lies in the rectangle `window`, with a focus ring around mark `ring`."""
        painter.fillRect(window, tones.panel)
        self._lines(painter, window, tones, fonts)
        self._blocks(painter, window, laid, tones, fonts)
        for flag in laid.flags:
            if flag.place.intersects(window):
                self._flag(painter, flag, whole, tones, fonts)
        if ring is not None and not (place := laid.place_of(ring)).isEmpty():
            _ring(painter, place.intersected(whole.adjusted(-4, 0, 4, 0)), tones)
        self._locks(painter, window, tones)
        self._bars(painter, window, tones)
        self._loop(painter, whole, tones)
        painter.fillRect(window.x(), TOP_HEIGHT - 1, window.width(), 1, tones.line)
        x = round(self._stage.axis.x(self._stage.opened.playback.position()))
        draw_playhead(painter, x, TOP_HEIGHT, tones.t1)

    def _lines(self, painter: QPainter, window: QRect, tones: Tones, fonts: Fonts) -> None:
        axis = self._stage.axis
        start, end = int(axis.at(window.left() - 60)), int(axis.at(window.right() + 1))
        ticks = []
        labels = []
        for line in lines_between(self._stage.song.bar_map, start, end, axis.per_beat):
            x, tall = round(axis.x(line.at)), TALL[line.weight]
            ticks.append(QRect(x, TOP_HEIGHT - tall, 1, tall))
            if line.bar is not None:
                labels.append((x + 4, str(line.bar)))
        fill_all(painter, ticks, tones.line2)
        painter.setFont(fonts.ruler)
        painter.setPen(tones.t3)
        for x, number in labels:
            painter.drawText(QRect(x, TOP_HEIGHT - 16, 60, 14), LEFT, number)

    def _blocks(self, painter: QPainter, window: QRect, laid: RulerLayout, tones: Tones, fonts: Fonts) -> None:
        for one in laid.blocks:
            wide = one.right - one.left
            painter.fillRect(QRect(one.left, 0, wide, SECTION_HEIGHT).intersected(window), tones.ctl)
            painter.fillRect(one.left, 0, min(SECTION_EDGE, wide), SECTION_HEIGHT, tones.t3)
        for one in laid.blocks:
            painter.setFont(fonts.section)
            painter.setPen(tones.t1)
            painter.drawText(QRect(one.name_at, 0, max(0, one.right - one.name_at), SECTION_HEIGHT), LEFT, one.name)
            if one.length:
                painter.setFont(fonts.ruler)
                painter.setPen(tones.t3)
                room = QRect(one.left, 0, one.right - one.left - NAME_INSET, SECTION_HEIGHT)
                painter.drawText(room, RIGHT, one.length)

    def _flag(self, painter: QPainter, flag: Flag, whole: QRect, tones: Tones, fonts: Fonts) -> None:
        place = QRect(flag.place.x(), FLAG_TOP, flag.place.width(), FLAG_HEIGHT)
        after, cause = place.x(), flag.cause
        if cause is None:
            color = tones.warn if flag.icon == PROHIBIT else tones.t1
            painter.fillRect(place, tones.hover)
        else:
            color = tones.bad if flag.kind == "removed" else tones.agent
            ground = tones.canvas if flag.kind == "removed" else tones.agent_soft
            draw_hatch(painter, place, place, ground, tones.over(color, 0.25), tones)
            lit = self._stage.lit(cause)
            draw_dashed(painter, place, whole, tones.t1 if lit else color, LIT_OUTLINE if lit else GHOST_OUTLINE)
            after += draw_badge(painter, place.x() + 2, FLAG_TOP + 2, str(cause.number), tones, fonts)
        if flag.icon:
            draw_icon(painter, after + 4, FLAG_TOP + 2, flag.icon, color, CORNER_ICON, tones)
        painter.setFont(fonts.section)
        painter.setPen(color)
        painter.drawText(place.adjusted(badge_room(flag, fonts), 0, 0, 0), CENTRE, flag.shown)

    def _locks(self, painter: QPainter, window: QRect, tones: Tones) -> None:
        """Locked bars: a line below their numbers, with a lock at its end."""
        for lock in self._stage.opened.locks.value:
            if not isinstance(lock, BarsLock):
                continue
            left, right = (round(self._stage.axis.x(at)) for at in self._stage.song.bar_map.span(lock.first, lock.last))
            if right <= window.left() or left > window.right():
                continue
            painter.fillRect(QRect(left, TOP_HEIGHT - 3, right - left, 2).intersected(window), tones.t3)
            if right - left > LOCK_WIDTH + 2 * NAME_INSET:
                draw_lock(painter, right - LOCK_WIDTH - NAME_INSET, TOP_HEIGHT - LOCK_HEIGHT - 5, tones.t2)

    def _bars(self, painter: QPainter, window: QRect, tones: Tones) -> None:
        """The chosen bars: a soft ground and a line below their numbers."""
        bars = self._stage.opened.focus.bars.value
        if bars is None:
            return
        left, right = (round(self._stage.axis.x(at)) for at in self._stage.song.bar_map.span(*bars))
        left, right = max(left, window.left() - 1), min(right, window.right() + 2)
        veil = QColor(tones.you)
        veil.setAlpha(BARS_SHARE)
        if left < right:
            painter.fillRect(left, BARS_TOP + LOOP_BAR, right - left, TOP_HEIGHT - BARS_TOP, veil)
            painter.fillRect(left, TOP_HEIGHT - 3, right - left, 2, tones.you)

    def _loop(self, painter: QPainter, whole: QRect, tones: Tones) -> None:
        state = self._stage.opened.playback.state.value
        if state.loop is None:
            return
        left, right = (round(self._stage.axis.x(at)) for at in state.loop)
        left, right = max(left, -1), min(right, whole.width() + 1)
        painter.fillRect(left, BARS_TOP, right - left, LOOP_BAR, tones.you if state.looping else tones.line2)


def _ring(painter: QPainter, place: QRect, tones: Tones) -> None:
    """The focus ring; the row is too low for a gap inside it."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(tones.you, 2))
    painter.drawRect(place.adjusted(1, 1, -1, -1))
