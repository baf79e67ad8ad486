"""What the roll of a comparison paints: ground, keys, ruler, notes of A and B, and their velocities."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from agent.theory.pitch import pitch_name
from app.i18n import tr
from app.ui.canvas.layer import Layer
from app.ui.canvas.look import RIGHT, CanvasLook
from app.ui.canvas.pitch_rows import BLACK, paint_key, paint_key_name, paint_rows
from app.ui.canvas.playhead import draw_playhead
from app.ui.canvas.ruler import LABEL_ROOM, paint_bars, paint_lines
from app.ui.history.difference_marks import (
    MarkTones,
    arrow_sign,
    draw_boxes,
    draw_mark,
    draw_origin,
    draw_way,
    mark_tones,
)
from app.ui.history.difference_scene import RULER, DifferenceScene
from app.ui.kit.painted import dashed_pen
from app.ui.kit.tokens import Tokens
from app.viewmodels.history.difference import KINDS, Kind, NoteChange, PlacedNote

_LEAST_WIDTH = 3.0
_DENSE = 600
"""Number of visible notes above which they are painted as plain boxes and velocities without heads."""
_HEAD, _TOP, _FLOOR = 3.0, 20, 4.0
_LINE = 64
"""Velocity at which the reference line is painted."""


class DifferenceLook(CanvasLook):
    """Fonts and colours of the comparison, with those of the four kinds of notes."""

    def __init__(self, tokens: Tokens, ratio: float) -> None:
        super().__init__(tokens, ratio)
        self.marks = mark_tones(tokens, ratio)


class DifferenceLayer(Layer[DifferenceLook]):
    """A layer that paints a part of a comparison's scene."""

    def __init__(self, scene: DifferenceScene) -> None:
        self.scene = scene


class DifferenceGround(DifferenceLayer):
    """Paints rows of pitches, bars and beats."""

    def paint(self, painter: QPainter, window: QRect, look: DifferenceLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        scene = self.scene
        painter.fillRect(window, look.canvas)
        dark = look.row2
        paint_rows(painter, scene.axis, window, look, lambda pitch: dark if pitch % 12 in BLACK else None, octaves=True)
        lines = scene.lines(window.left(), window.right())
        paint_lines(painter, scene.axis, lines, 0, window, {"beat": look.grid, "bar": look.grid3})


class DifferenceRuler(DifferenceLayer):
    """Paints numbers of bars and the head of the playhead."""

    def paint(self, painter: QPainter, window: QRect, look: DifferenceLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        scene, place = self.scene, QRect(0, 0, painter.viewport().width(), RULER)
        painter.fillRect(window, look.panel)
        if scene.song is not None:
            lines = scene.lines(window.left() - LABEL_ROOM, window.right())
            paint_bars(painter, scene.axis, lines, 0, scene.song.bar_map, place, look)
            draw_playhead(painter, round(scene.axis.x(scene.position)), RULER, look.t1)
        painter.fillRect(window.left(), RULER - 1, window.width(), 1, look.line2)


class DifferenceKeys(DifferenceLayer):
    """Paints the keys of a piano, each C with its name."""

    def paint(self, painter: QPainter, window: QRect, look: DifferenceLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        axis, width = self.scene.axis, painter.viewport().width()
        painter.fillRect(window, look.panel)
        for row in axis.rows_between(window.top(), window.bottom()):
            pitch, place = axis.pitch_of(row), QRect(0, axis.row_top(row), width, axis.row_height)
            paint_key(painter, pitch, place, look)
            if pitch % 12 == 0 and self.scene.song is not None:
                paint_key_name(painter, pitch_name(pitch, self.scene.song.key), place, look, strong=True)


class DifferenceNotes(DifferenceLayer):
    """Paints the notes by kind, and a ring around the current one."""

    def paint(self, painter: QPainter, window: QRect, look: DifferenceLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        scene = self.scene
        found = scene.found(window.left(), window.right())
        if len(found) > _DENSE:
            for kind in KINDS:
                notes = [mark.shown for _, mark in found if mark.kind == kind]
                draw_boxes(painter, _boxes(scene, notes), kind, look.marks)
        else:
            self._shapes(painter, [mark for _, mark in found], window, look.marks)
        if scene.mark is not None:
            box = box_of(scene, scene.mark.shown)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(look.canvas, 1))
            painter.drawRect(box.adjusted(-1, -1, 0, 0))
            painter.setPen(QPen(look.you, 2))
            painter.drawRect(box.adjusted(-2, -2, 2, 2))

    def _shapes(self, painter: QPainter, found: list[NoteChange], window: QRect, tones: MarkTones) -> None:
        scene = self.scene
        for kind in ("same", "removed"):
            for mark in found:
                if mark.kind == kind:
                    draw_mark(painter, box_of(scene, mark.shown), mark.kind, tones)
        self._moved(painter, window, tones)
        for mark in found:
            if mark.kind == "added":
                draw_mark(painter, box_of(scene, mark.shown), "added", tones)

    def _moved(self, painter: QPainter, window: QRect, tones: MarkTones) -> None:
        scene, span = self.scene, self.scene.ticks(window.left(), window.right())
        moved = list(scene.notes.moved_within(*span)) if "moved" in scene.kinds else []
        pairs = [(mark.before, mark.after) for _, mark in moved if mark.before is not None and mark.after is not None]
        boxes = [(was, now, box_of(scene, was), box_of(scene, now)) for was, now in pairs]
        # One that differs only in velocity stands where it was.
        shifted = [(before, after) for was, now, before, after in boxes if was.sound[:3] != now.sound[:3]]
        for before, _ in shifted:
            draw_origin(painter, before, tones)
        for was, now, _, after in boxes:
            draw_mark(painter, after, "moved", tones, arrow_sign(now.pitch - was.pitch, now.start - was.start))
        for before, after in shifted:
            if before.intersects(after):
                # What the note covers of its own place can be seen on it.
                draw_origin(painter, before.intersected(after), tones, inside=True)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for _, _, before, after in boxes:
            draw_way(painter, before, after, tones)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


class DifferencePlayhead(DifferenceLayer):
    """Paints the playhead."""

    def paint(self, painter: QPainter, window: QRect, look: DifferenceLook) -> None:
        """Paint a line from top to bottom."""
        painter.fillRect(round(self.scene.axis.x(self.scene.position)), window.top(), 1, window.height(), look.t1)


class DifferenceVelocities(DifferenceLayer):
    """Paints a velocity stem for each note, in the style of its kind."""

    def paint(self, painter: QPainter, window: QRect, look: DifferenceLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        scene, tones, height = self.scene, look.marks, painter.viewport().height()
        painter.fillRect(window, look.canvas)
        painter.fillRect(window.left(), 0, window.width(), 1, look.line2)
        painter.fillRect(window.left(), round(_y_of(_LINE, height)), window.width(), 1, look.grid2)
        found = [mark for _, mark in scene.found(window.left() - _HEAD, window.right() + _HEAD)]
        stems: dict[Kind, list[QLineF]] = {kind: [] for kind in KINDS}
        for mark in found:
            x = round(scene.axis.x(mark.shown.start)) + 0.5
            stems[mark.kind].append(QLineF(x, height - _FLOOR, x, _y_of(mark.shown.velocity, height)))
        for kind, lines in stems.items():
            color = tones.way if kind == "moved" else tones.of(kind)
            painter.setPen(dashed_pen(tones.removed, 1) if kind == "removed" else QPen(color, 2))
            painter.drawLines(lines)
        if len(found) <= _DENSE:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for kind, lines in stems.items():
                _heads(painter, kind, lines, tones)
            self._origins(painter, found, tones)

    def _origins(self, painter: QPainter, found: list[NoteChange], tones: MarkTones) -> None:
        """How loud moved notes were."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(tones.way, 1.2))
        for mark in found:
            if mark.kind == "moved" and mark.before is not None and mark.before.velocity != mark.shown.velocity:
                x = round(self.scene.axis.x(mark.shown.start)) + 0.5
                painter.drawEllipse(QPointF(x, _y_of(mark.before.velocity, painter.viewport().height())), _HEAD, _HEAD)


class VelocityScale(Layer[DifferenceLook]):
    """Paints the label of the velocity lane and the velocity of its reference line."""

    def paint(self, painter: QPainter, window: QRect, look: DifferenceLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        place = painter.viewport()
        painter.fillRect(window, look.panel)
        painter.fillRect(window.left(), 0, window.width(), 1, look.line2)
        painter.setPen(look.t3)
        painter.setFont(look.ruler_font)
        painter.drawText(QRectF(4, 4, place.width() - 6, 14), Qt.AlignmentFlag.AlignLeft, tr("Velocity"))
        middle = _y_of(_LINE, place.height())
        painter.drawText(QRectF(4, middle - 7, place.width() - 10, 14), RIGHT, str(_LINE))


def box_of(scene: DifferenceScene, one: PlacedNote) -> QRectF:
    """The note's rectangle, in pixels of the notes' area."""
    axis = scene.axis
    width = max(_LEAST_WIDTH, axis.x(one.end) - axis.x(one.start) - 1)
    return QRectF(round(axis.x(one.start)), axis.y(one.pitch) + 1, round(width), axis.row_height - 2)


def _boxes(scene: DifferenceScene, notes: list[PlacedNote]) -> list[QRectF]:
    """The same for very many notes."""
    axis = scene.axis
    left, scale, row, least = axis.x(0), axis.x(1) - axis.x(0), axis.row_height, _LEAST_WIDTH
    top, height = axis.row_top(0) + 1 + scene.notes.high * row, row - 2
    return [
        QRectF(left + one.start * scale, top - one.pitch * row, max(least, (one.end - one.start) * scale), height)
        for one in notes
    ]


def _y_of(velocity: int, height: int) -> float:
    """The pixel at which a velocity stands in a lane of that height."""
    return height - _FLOOR - (height - _TOP - _FLOOR) * velocity / 127


def _heads(painter: QPainter, kind: Kind, lines: list[QLineF], tones: MarkTones) -> None:
    removed = kind == "removed"
    painter.setPen(QPen(tones.removed, 1.2) if removed else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if removed else tones.way if kind == "moved" else tones.of(kind))
    for line in lines:
        if removed:
            painter.drawRect(QRectF(line.p2().x() - _HEAD, line.p2().y() - _HEAD, 2 * _HEAD, 2 * _HEAD))
        else:
            painter.drawEllipse(line.p2(), _HEAD, _HEAD)
