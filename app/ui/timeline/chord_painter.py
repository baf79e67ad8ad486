"""Paints the chord lane: stated chords as chips, heard ones without a ground and with how sure they are, proposed ones
dashed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.ui.canvas.layer import fill_all
from app.ui.timeline.chord_reading import ChordScene
from app.ui.timeline.fonts import CENTRE, Fonts
from app.ui.timeline.ghost_painter import draw_dashed, draw_hatch
from app.ui.timeline.marks import draw_icon
from app.ui.timeline.measures import CHORD_HEIGHT, GHOST_OUTLINE, LIT_OUTLINE
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Tones
from app.viewmodels.timeline.chords import UNSURE, ChordGhost, LaneChord, shorter_symbols, within

CHIP_TOP = 3
CHIP_HEIGHT = CHORD_HEIGHT - 2 * CHIP_TOP
RADIUS = 3.0
LEAST_CHIP = 5
"""Width in pixels below which a chord is painted as a block without its symbol."""
TEXT_INSET = 3
SURE_HEIGHT = 2
EAR_SIZE = 11
EAR_ROOM = 14
HEARD_ICON = "ear"
_HATCH = 0.25


class ChordPainter:
    """Paints the chord lane."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage

    def place(self, span: LaneChord | ChordGhost) -> QRect:
        """The rectangle of a chord's chip, in pixels of the lane."""
        left, right = round(self._stage.axis.x(span.start)), round(self._stage.axis.x(span.end))
        return QRect(left + 1, CHIP_TOP, max(1, right - left - 2), CHIP_HEIGHT)

    def paint(
        self, painter: QPainter, window: QRect, whole: QRect, scene: ChordScene, ring: LaneChord | None, tones: Tones,
        fonts: Fonts,
    ) -> None:
        """Paint what lies in the rectangle `window`, with a focus ring around span `ring`."""
        painter.fillRect(window, tones.panel)
        axis = self._stage.axis
        start, end = axis.at(window.left() - 1), axis.at(window.right() + 2)
        seen = within(scene.spans, start, end)
        self._blocks(painter, seen, tones)
        for span in seen:
            if span.symbol and (place := self.place(span)).width() >= LEAST_CHIP:
                self._chip(painter, span, place, whole, tones, fonts)
        for ghost in scene.ghosts:
            if ghost.end > start and ghost.start < end:
                self._ghost(painter, ghost, whole, tones, fonts)
        if ring is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(tones.you, 2))
            painter.drawRoundedRect(
                self.place(ring).intersected(whole.adjusted(-4, 0, 4, 0)).adjusted(0, -1, 0, 1), RADIUS, RADIUS
            )
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.fillRect(window.x(), CHORD_HEIGHT - 1, window.width(), 1, tones.line)

    def _blocks(self, painter: QPainter, seen: Sequence[LaneChord], tones: Tones) -> None:
        """Chords that have no room for a chip, all at once; bars without a chord have a line at their start."""
        for stated, color in ((True, tones.ctl), (False, tones.line)):
            places = [self.place(span) for span in seen if span.symbol and span.stated == stated]
            fill_all(painter, [place for place in places if place.width() < LEAST_CHIP], color)
        x = self._stage.axis.x
        starts = [round(x(span.start)) for span in seen if not span.symbol and x(span.end) - x(span.start) >= 8]
        fill_all(painter, [QRect(at, CHORD_HEIGHT // 2 - 2, 1, 4) for at in starts], tones.line2)

    def _chip(
        self, painter: QPainter, span: LaneChord, place: QRect, whole: QRect, tones: Tones, fonts: Fonts
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if span.certainty is None:
            painter.setPen(tones.line2)
            painter.setBrush(tones.ctl)
            painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            self._words(painter, span.symbol, place.intersected(whole), tones.t1, fonts, heard=False)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        sure = span.certainty >= UNSURE
        base = QRect(place.x(), place.bottom() - SURE_HEIGHT + 1, place.width(), SURE_HEIGHT)
        painter.fillRect(base, tones.line)
        share = QRect(base.x(), base.y(), round(base.width() * span.certainty), SURE_HEIGHT)
        painter.fillRect(share, tones.line3 if sure else tones.warn)
        seen = place.adjusted(0, 0, 0, -SURE_HEIGHT).intersected(whole)
        words = span.symbol if sure else f"{span.symbol}?"
        ear = self._room(words, fonts) + EAR_ROOM <= seen.width() - 2 * TEXT_INSET
        if ear:
            draw_icon(painter, seen.x() + TEXT_INSET, seen.y() + (seen.height() - EAR_SIZE) // 2, HEARD_ICON,
                      tones.t3, EAR_SIZE, tones)
        room = seen.adjusted(EAR_ROOM if ear else 0, 0, 0, 0)
        self._words(painter, words, room, tones.t2, fonts, heard=True)

    def _ghost(self, painter: QPainter, ghost: ChordGhost, whole: QRect, tones: Tones, fonts: Fonts) -> None:
        place = self.place(ghost)
        gone = ghost.kind == "removed"
        color = tones.bad if gone else tones.agent
        painter.fillRect(place.intersected(whole), tones.panel)
        ground = tones.canvas if gone else tones.agent_soft
        if place.width() < LEAST_CHIP:
            painter.fillRect(place, color)
            return
        draw_hatch(painter, place, place.intersected(whole), ground, tones.over(color, _HATCH), tones)
        lit = ghost.cause is not None and self._stage.lit(ghost.cause)
        draw_dashed(painter, place, whole, tones.t1 if lit else color, LIT_OUTLINE if lit else GHOST_OUTLINE)
        seen = place.intersected(whole)
        if gone:
            self._words(painter, ghost.was, seen, color, fonts, heard=False, struck=True)
        else:
            self._words(painter, ghost.symbol, seen, color, fonts, heard=False)

    def _room(self, words: str, fonts: Fonts) -> int:
        return fonts.width(fonts.ruler, next(iter(shorter_symbols(words))))

    def _words(
        self, painter: QPainter, symbol: str, seen: QRect, color: QColor, fonts: Fonts, *, heard: bool,
        struck: bool = False,
    ) -> None:
        """As much of a symbol as there is room for, without an ellipsis."""
        face = fonts.ruler if heard else fonts.chip
        room = seen.width()
        for text in shorter_symbols(symbol):
            width = fonts.width(face, text)
            if width <= room:
                painter.setFont(face)
                painter.setPen(color)
                painter.drawText(seen, CENTRE, text)
                if struck:
                    middle = seen.center()
                    painter.drawLine(middle.x() - width // 2 - 1, middle.y(), middle.x() + width // 2 + 1, middle.y())
                return
