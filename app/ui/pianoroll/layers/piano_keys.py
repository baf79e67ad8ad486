"""The column beside the notes: the keys of a piano with their names, or the names of a kit's pieces."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from agent.theory.pitch import in_scale, pitch_name
from app.desktop.roll.drums import piece_name
from app.ui.canvas.layer import Layer
from app.ui.canvas.tool import Pointer
from app.ui.pianoroll.look import BLACK, LEFT, RIGHT, Look
from app.ui.pianoroll.measures import NAME_FROM_ROW
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.hear import HearPitches

_BLACK_SHARE = 0.62
_INSET = 6


class PianoKeys(Layer[Look]):
    """One key for each row; the one that is down is lit."""

    def __init__(self, scene: RollScene, pointer: Pointer[HearPitches]) -> None:
        self._scene = scene
        self._pointer = pointer

    def paint(self, painter: QPainter, window: QRect, look: Look) -> None:
        """The rows in the window."""
        axis, width = self._scene.axis, painter.viewport().width()
        down = None if self._pointer.drag is None else self._pointer.drag.pitch
        draw = self._piece if axis.lanes else self._key
        painter.fillRect(window, look.panel)
        for row in axis.rows_between(window.top(), window.bottom()):
            pitch = axis.pitch_of(row)
            draw(painter, pitch, QRect(0, axis.row_top(row), width - 1, axis.row_height), look, held=pitch == down)
        painter.fillRect(width - 1, window.top(), 1, window.height(), look.line2)

    def _key(self, painter: QPainter, pitch: int, place: QRect, look: Look, *, held: bool) -> None:
        black = pitch % 12 in BLACK
        painter.fillRect(place, look.you if held and not black else look.white_key)
        if pitch % 12 in (0, 5):
            painter.fillRect(place.left(), place.bottom(), place.width(), 1, look.line3)
        if black:
            part = QRect(place.left(), place.top(), round(place.width() * _BLACK_SHARE), place.height())
            painter.fillRect(part, look.you if held else look.black_key)
            painter.fillRect(part.right(), place.center().y(), place.width() - part.width(), 1, look.line3)
        self._label(painter, pitch, place, look, black=black)

    def _label(self, painter: QPainter, pitch: int, place: QRect, look: Look, *, black: bool) -> None:
        """C always has its name; others where there is room, those of a lit scale stronger."""
        scene = self._scene
        if pitch % 12 and (place.height() < NAME_FROM_ROW or black):
            return
        lit = scene.settings.value.light_scale and in_scale(scene.key, pitch)
        painter.setFont(look.note_font if lit or pitch % 12 == 0 else look.ruler_font)
        painter.setPen(look.on_white)
        painter.drawText(place.adjusted(0, -1, -_INSET, 0), RIGHT, pitch_name(pitch, scene.key))

    def _piece(self, painter: QPainter, pitch: int, place: QRect, look: Look, *, held: bool) -> None:
        painter.fillRect(place, look.you_soft if held else look.panel)
        painter.fillRect(place.left(), place.bottom(), place.width(), 1, look.line)
        painter.setFont(look.label_font)
        painter.setPen(look.t1 if pitch in self._scene.index.pitches else look.t3)
        room = place.adjusted(_INSET + 2, 0, -4, 0)
        painter.drawText(room, LEFT, look.short(look.label_font, piece_name(pitch), room.width()))
