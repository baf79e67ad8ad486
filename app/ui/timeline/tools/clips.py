"""Drawing the places that dragged clips would come to."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPen

from agent.song.time import Ticks
from app.ui.timeline.fonts import LEFT, Fonts
from app.ui.timeline.marks import draw_icon
from app.ui.timeline.measures import CLIP_BOTTOM, CLIP_TOP, CORNER_ICON, LIT_OUTLINE, NAME_INSET, STRIP_HEIGHT
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Tones
from app.viewmodels.timeline.words import drop_in_words


def paint_places(
    painter: QPainter, stage: TimelineContext, places: Iterable[tuple[int, Ticks, int]], tones: Tones, fonts: Fonts,
    refusal: str = "",
) -> None:
    """Paint outlines at (lane, start, length in ticks); the first is labelled with its position, or with `refusal`, the
    reason why nothing can be put there."""
    axis = stage.axis
    painter.setBrush(Qt.BrushStyle.NoBrush)
    first = True
    for lane, start, length in places:
        left, right = round(axis.x(start)), round(axis.x(start + length))
        place = QRect(
            left, axis.row_top(lane) + CLIP_TOP, max(2, right - left), axis.row_height - CLIP_TOP - CLIP_BOTTOM
        )
        painter.setPen(QPen(tones.warn if refusal else tones.t1, LIT_OUTLINE))
        painter.drawRect(place.adjusted(1, 1, -1, -1))
        if first:
            words = refusal or drop_in_words(stage.song.bar_map, start, length)
            mark = CORNER_ICON + 2 if refusal else 0
            plate = QRect(left + 2, place.bottom() - STRIP_HEIGHT - 1, 0, STRIP_HEIGHT)
            plate.setWidth(fonts.width(fonts.clip, words) + 2 * NAME_INSET + mark)
            painter.fillRect(plate, tones.canvas)
            if refusal:
                draw_icon(painter, plate.x() + 2, plate.y(), "prohibit", tones.warn, CORNER_ICON, tones)
            painter.setFont(fonts.clip)
            painter.setPen(tones.warn if refusal else tones.t1)
            painter.drawText(plate.adjusted(NAME_INSET + mark, 0, 0, 0), LEFT, words)
        first = False
