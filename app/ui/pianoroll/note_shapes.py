"""The places of notes in pixels, and drawing those that dragged notes would come to."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from agent.song.clip import Note
from agent.song.ids import NoteId
from agent.song.time import PPQ
from app.ui.canvas.look import LEFT
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.measures import LEAD
from app.ui.pianoroll.scene import RollScene

_PLATE_HEIGHT = 14
_PLATE_PADDING = 4
_BELOW = 22
_FEW = 200
"""Number of notes up to which each is looked up by its id."""
_AROUND = 40
"""Pixels outside the view within which a note may still reach into it."""


def place_of(scene: RollScene, note: Note) -> QRectF:
    """The rectangle of a note, or the square around a drum hit, in pixels of the notes' area."""
    axis = scene.axis
    x, y, row = axis.x(note.start), axis.y(note.pitch), axis.row_height
    if scene.drums:
        side = row - 4
        return QRectF(round(x) - side / 2, y + 2, side, side)
    return QRectF(round(x), y, max(3, round(axis.x(note.end)) - round(x)), row - 1)


def places_of(scene: RollScene, notes: Iterable[Note]) -> list[QRectF]:
    """The rectangles of many notes, as `place_of`."""
    if scene.drums:
        return [place_of(scene, note) for note in notes]
    axis = scene.axis
    scale, shift, row, tall = axis.per_beat / PPQ, LEAD - axis.left, axis.row_height, axis.row_height - 1
    found = []
    for note in notes:
        x = round(note.start * scale + shift)
        width = round((note.start + note.duration) * scale + shift) - x
        found.append(QRectF(x, (127 - note.pitch) * row - axis.top, width if width > 3 else 3, tall))
    return found


def diamond(place: QRectF) -> QPolygonF:
    """The diamond in a square."""
    x, y = place.center().x(), place.center().y()
    return QPolygonF([
        QPointF(x, place.top()), QPointF(place.right(), y), QPointF(x, place.bottom()), QPointF(place.left(), y),
    ])


def seen(scene: RollScene, ids: Collection[NoteId], painter: QPainter, by: float = 0) -> list[Note]:
    """The notes with these ids that are visible when all are moved by `by` ticks."""
    left, right = scene.axis.at(-_AROUND) - by, scene.axis.at(painter.viewport().width() + _AROUND) - by
    notes = scene.index.chosen(ids) if len(ids) < _FEW else scene.index.within(left, right, 0, 127)
    return [note for note in notes if note.start < right and note.end > left and note.id in ids]


def paint_outlines(painter: QPainter, scene: RollScene, notes: Iterable[Note], color: QColor, by: float = 0) -> None:
    """Paint outlines of notes; the diamonds of drum hits are `by` pixels larger on each side."""
    places = places_of(scene, notes)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if scene.drums:
        painter.setPen(QPen(color, 2))
        for place in places:
            painter.drawPolygon(diamond(place.adjusted(-by, -by, by, by)))
    else:
        # Two thin frames: a thick pen costs ten times as much.
        painter.setPen(QPen(color, 1))
        painter.drawRects([place.adjusted(0, 0, -1, -1) for place in places])
        painter.drawRects([place.adjusted(1, 1, -2, -2) for place in places])


def paint_words(painter: QPainter, words: str, x: float, y: float, look: RollLook) -> None:
    """Paint a label near pixel (x, y); nothing if it is empty."""
    if not words:
        return
    width = look.width(look.note_font, words) + 2 * _PLATE_PADDING
    above = round(y) - _PLATE_HEIGHT - 2
    # At the upper edge it would hide what it tells of.
    plate = QRect(max(0, round(x)), above if above >= 0 else round(y) + _BELOW, width, _PLATE_HEIGHT)
    painter.fillRect(plate, look.canvas)
    painter.setPen(look.t1)
    painter.setFont(look.note_font)
    painter.drawText(plate.adjusted(_PLATE_PADDING, 0, 0, 0), LEFT, words)
