"""Selecting what a rectangle touches."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.ids import ClipId
from app.ui.timeline.fonts import Fonts
from app.ui.timeline.gestures.gesture import Gesture
from app.ui.timeline.measures import DRAG_FROM
from app.ui.timeline.stage import Spot, Stage
from app.ui.timeline.tones import Tones

VEIL = 40
"""How much of the band's colour lies over the lanes, of 255."""


class RubberBand(Gesture):
    """Drags a rectangle open; with Ctrl or Shift it adds to what was selected."""

    def __init__(self, stage: Stage, spot: Spot) -> None:
        self._stage = stage
        # The song's own place, so that the band stays on it while the view scrolls.
        self._from = stage.axis.at(spot.x), spot.y + stage.axis.top
        self._to = self._from
        self._before: frozenset[ClipId] = stage.opened.focus.clips.value
        self._kept = self._before if spot.extend else frozenset[ClipId]()

    def move(self, spot: Spot) -> None:
        """Select what the band touches now."""
        axis, stage = self._stage.axis, self._stage
        self._to = axis.at(spot.x), spot.y + axis.top
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(self._from, self._to, strict=True))
        if axis.per_beat * (right - left) / 960 + bottom - top < DRAG_FROM:
            return
        lanes = int(top // axis.lane_height), int(bottom // axis.lane_height)
        found = stage.scene.within(left, right, *lanes, stage.overlay)
        stage.opened.focus.clips.set(self._kept | {item.clip.id for item in found})
        stage.repaint()

    def release(self, spot: Spot) -> None:
        """The selection stays."""
        self.move(spot)
        if self._to == self._from:
            self._stage.opened.focus.clips.set(self._kept)

    def cancel(self) -> None:
        """Select what was selected before."""
        self._stage.opened.focus.clips.set(self._before)

    def paint(self, painter: QPainter, tones: Tones, _fonts: Fonts) -> None:
        """The band."""
        axis = self._stage.axis
        x, y = axis.x(self._from[0]), self._from[1] - axis.top
        band = QRectF(x, y, axis.x(self._to[0]) - x, self._to[1] - axis.top - y).normalized()
        veil = QColor(tones.you)
        veil.setAlpha(VEIL)
        painter.setPen(QPen(tones.you, 1))
        painter.setBrush(veil)
        painter.drawRect(band)
