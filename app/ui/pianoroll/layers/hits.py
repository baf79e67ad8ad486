"""Hits of a drum kit as diamonds, from pictures of each kind of loudness."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from agent.song.clip import Note
from app.ui.canvas.note_chunk import BANDS, band_of
from app.ui.pianoroll.look import NoteTones, RollLook
from app.ui.pianoroll.note_shapes import diamond
from app.ui.pianoroll.scene import RollScene


class Hits:
    """Paints drum hits, with pictures cached for one size, colour and screen."""

    def __init__(self) -> None:
        self._key: tuple[int, int, float, bool] = (0, 0, 0.0, False)
        self._pictures: list[QPixmap] = []

    def draw(
        self, painter: QPainter, scene: RollScene, notes: Iterable[Note], tones: NoteTones, look: RollLook
    ) -> None:
        """Paint a diamond at the start of each note."""
        axis = scene.axis
        side = axis.row_height - 4
        pictures = self._made(side, tones, look)
        half, bottom = (side + 2) / 2, painter.viewport().height()
        for note in notes:
            y = axis.y(note.pitch) + 1
            if -axis.row_height < y < bottom:
                painter.drawPixmap(round(axis.x(note.start) - half), y, pictures[band_of(note.velocity)])

    def _made(self, side: int, tones: NoteTones, look: RollLook) -> list[QPixmap]:
        key = (side, tones.edge.rgba(), look.ratio, look.tokens.dark)
        if key != self._key:
            self._key = key
            self._pictures = [_picture(side, band, tones.bands[band], tones.edge, look.ratio) for band in range(BANDS)]
        return self._pictures


def _picture(side: int, band: int, fill: QColor, edge: QColor, ratio: float) -> QPixmap:
    """Louder hits are larger, so that loudness is not told by colour alone."""
    whole = side + 2
    made = QPixmap(round(whole * ratio), round(whole * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inset = 1 + (BANDS - 1 - band) * side * 0.09
    painter.setPen(QPen(edge, 1))
    painter.setBrush(fill)
    painter.drawPolygon(diamond(QRectF(0, 0, whole, whole).adjusted(inset, inset, -inset, -inset)))
    painter.end()
    return made
