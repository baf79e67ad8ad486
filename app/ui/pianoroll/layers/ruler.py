"""Above the notes: names of chords, bars of the song, and the playhead's head."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from app.ui.canvas.layer import Layer
from app.ui.canvas.look import LEFT
from app.ui.canvas.playhead import draw_playhead
from app.ui.canvas.ruler import LABEL_ROOM, paint_bars
from app.ui.pianoroll.layers.clip_layer import ClipLayer
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.measures import CHORD_HEIGHT, RULER_HEIGHT, TOP_HEIGHT
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.chords import ChordName
from app.viewmodels.pianoroll.shown import Shown

_LEAST_CHORD = 14
_INSET = 4


class RulerGround(Layer[RollLook]):
    """Paints the ruler's background and its lower edge."""

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        painter.fillRect(window, look.panel)
        painter.fillRect(window.left(), TOP_HEIGHT - 1, window.width(), 1, look.line2)


class BarRulerLayer(ClipLayer):
    """Paints ticks of the grid, and numbers of bars where there is room."""

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        scene, place = self.scene, QRect(0, CHORD_HEIGHT, painter.viewport().width(), RULER_HEIGHT)
        lines = scene.lines(window.left() - LABEL_ROOM, window.right())
        paint_bars(painter, scene.axis, lines, shown.clip.start, scene.bars, place, look)


class ChordNames(ClipLayer):
    """Paints the chord names `found` above the bars."""

    def __init__(self, scene: RollScene, found: Callable[[], tuple[ChordName, ...]]) -> None:
        super().__init__(scene)
        self._found = found

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        axis, clip = self.scene.axis, shown.clip
        if not self.scene.settings.value.chords:
            return
        painter.setFont(look.strong_font)
        painter.setPen(look.t2)
        for chord in self._found():
            left = round(axis.x(max(clip.start, chord.start) - clip.start))
            right = round(axis.x(min(clip.end, chord.end) - clip.start))
            if right < window.left() or left > window.right() or right - left < _LEAST_CHORD:
                continue
            painter.fillRect(left, 2, 1, CHORD_HEIGHT - 4, look.line3)
            # The name of a chord that begins out of sight is written where it can be read.
            at = max(left, 0) + _INSET
            room = right - at - 2
            text = look.short(look.strong_font, chord.name, room) if room > 8 else ""
            if text != "…":
                painter.drawText(QRect(at, 0, room, CHORD_HEIGHT), LEFT, text)


class PlayheadHead(ClipLayer):
    """Paints the head of the playhead."""

    def paint_clip(self, painter: QPainter, _window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint it while the playhead is within the clip."""
        if 0 <= self.scene.position <= shown.clip.duration:
            draw_playhead(painter, round(self.scene.axis.x(self.scene.position)), TOP_HEIGHT, look.t1)
