"""The column beside the notes: the keys of a piano with their names, or the names of a kit's pieces."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from agent.theory.pitch import in_scale, pitch_name
from app.ui.canvas.layer import Layer
from app.ui.canvas.look import LEFT
from app.ui.canvas.pitch_rows import BLACK, paint_key, paint_key_name
from app.ui.canvas.tool import Pointer
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.measures import NAME_FROM_ROW
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.hear import HearPitches
from app.viewmodels.pianoroll.drums import piece_name

_INSET = 6


class PianoKeys(Layer[RollLook]):
    """Paints one piano key, or the name of a drum, for each row; the pressed one is lit."""

    def __init__(self, scene: RollScene, pointer: Pointer[HearPitches]) -> None:
        self._scene = scene
        self._pointer = pointer

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        axis, width = self._scene.axis, painter.viewport().width()
        down = None if self._pointer.drag is None else self._pointer.drag.pitch
        draw = self._piece if axis.lanes else self._key
        painter.fillRect(window, look.panel)
        for row in axis.rows_between(window.top(), window.bottom()):
            pitch = axis.pitch_of(row)
            draw(painter, pitch, QRect(0, axis.row_top(row), width - 1, axis.row_height), look, held=pitch == down)
        painter.fillRect(width - 1, window.top(), 1, window.height(), look.line2)

    def _key(self, painter: QPainter, pitch: int, place: QRect, look: RollLook, *, held: bool) -> None:
        """C always has its name; others where there is room, those of a lit scale stronger."""
        scene, octave = self._scene, pitch % 12 == 0
        paint_key(painter, pitch, place, look, held=held)
        if octave or (place.height() >= NAME_FROM_ROW and pitch % 12 not in BLACK):
            lit = scene.settings.value.light_scale and in_scale(scene.key, pitch)
            paint_key_name(painter, pitch_name(pitch, scene.key), place, look, strong=lit or octave)

    def _piece(self, painter: QPainter, pitch: int, place: QRect, look: RollLook, *, held: bool) -> None:
        painter.fillRect(place, look.you_soft if held else look.panel)
        painter.fillRect(place.left(), place.bottom(), place.width(), 1, look.line)
        painter.setFont(look.label_font)
        painter.setPen(look.t1 if pitch in self._scene.index.pitches else look.t3)
        room = place.adjusted(_INSET + 2, 0, -4, 0)
        painter.drawText(room, LEFT, look.short(look.label_font, piece_name(pitch), room.width()))
