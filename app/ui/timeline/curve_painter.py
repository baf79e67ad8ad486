"""Draws a track's automation in a row of its own: the curve, its points, and the value at a moved one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from agent.song.time import Ticks
from agent.song.track import Automation
from app.ui.canvas.time_axis import TimeAxis
from app.ui.timeline.fonts import LEFT, Fonts
from app.ui.timeline.measures import CURVE_INSET, NAME_INSET, POINT_REACH, STRIP_HEIGHT
from app.ui.timeline.scene import CurveRow
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Tones
from app.ui.timeline.tools.drag import TimelineDrag
from app.ui.timeline.tools.point import DragPoint
from app.viewmodels.edits.curve_edits import curve_of, value_words

POINT = 7
WASH = 40
"""Alpha (0-255) of the fill below a curve."""


def share_y(row: CurveRow, value: float, axis: TimeAxis) -> float:
    """Pixel y of an automation value in its row."""
    height = axis.row_height - 2 * CURVE_INSET - 1
    return axis.row_top(row.lane) + CURVE_INSET + (1 - row.target.share(value)) * height


def point_at(stage: TimelineContext, row: CurveRow, x: float, y: float) -> Ticks | None:
    """Tick of the row's automation point nearest to pixel (x, y); None if none is within reach."""
    near: Ticks | None = None
    best = float(POINT_REACH)
    for point in curve_of(row.track, row.target.target).points:
        far = max(abs(stage.axis.x(point.at) - x), abs(share_y(row, point.value, stage.axis) - y))
        if far <= best:
            near, best = point.at, far
    return near


class CurvePainter:
    """Paints rows of automation."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage

    def draw(
        self, painter: QPainter, row: CurveRow, window: QRect, drag: TimelineDrag | None, tones: Tones, fonts: Fonts,
        *, focused: bool,
    ) -> None:
        """Paint one row as far as the rectangle `window` shows it; a point that is being dragged (`drag`) is shown
        where it would go."""
        drag = drag if isinstance(drag, DragPoint) and drag.active else None
        if drag is not None and drag.of != (row.track.id, row.target.target):
            drag = None
        curve = curve_of(row.track, row.target.target) if drag is None else drag.shown
        colors = tones.of(row.track.color, row.track.mute)
        axis = self._stage.axis
        rest = share_y(row, row.target.rest, axis)
        if not curve.points:
            painter.setPen(QPen(tones.line3, 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(window.left(), round(rest)), QPointF(window.right() + 1, round(rest)))
            return
        first = max(0, bisect_left(curve.points, axis.at(window.left() - POINT), key=lambda one: one.at) - 1)
        last = bisect_right(curve.points, axis.at(window.right() + POINT), key=lambda one: one.at) + 1
        painter.save()
        painter.setClipRect(QRect(window.x(), axis.row_top(row.lane), window.width(), axis.row_height - 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = self._line(row, curve, first, last, window)
        ground = float(axis.row_top(row.lane) + axis.row_height)
        wash = QColor(colors.strip)
        wash.setAlpha(WASH)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(wash)
        painter.drawPolygon(QPolygonF([QPointF(line[0].x(), ground), *line, QPointF(line[-1].x(), ground)]))
        painter.setPen(QPen(colors.outline, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(line))
        painter.restore()
        self._points(painter, row, curve, (first, last), tones, focused=focused)
        if drag is not None and drag.words:
            self._plate(painter, row, drag, tones, fonts)

    def _line(self, row: CurveRow, curve: Automation, first: int, last: int, window: QRect) -> list[QPointF]:
        axis = self._stage.axis
        shown = curve.points[first:last]
        line: list[QPointF] = []
        for point in shown:
            x, y = axis.x(point.at), share_y(row, point.value, axis)
            x = max(-20_000.0, min(40_000.0, x))
            if line and curve.curve == "hold":
                line.append(QPointF(x, line[-1].y()))
            line.append(QPointF(x, y))
        if first == 0:
            line.insert(0, QPointF(min(line[0].x(), window.left() - 1.0), line[0].y()))
        line.append(QPointF(max(line[-1].x(), window.right() + 2.0), line[-1].y()))
        return line

    def _points(
        self, painter: QPainter, row: CurveRow, curve: Automation, part: tuple[int, int], tones: Tones, *,
        focused: bool,
    ) -> None:
        """A square for each point; the chosen one is filled and, with the keyboard, has a ring."""
        axis, colors = self._stage.axis, tones.of(row.track.color, row.track.mute)
        chosen = self._stage.point
        half = POINT // 2
        for point in curve.points[part[0]:part[1]]:
            x, y = round(axis.x(point.at)), round(share_y(row, point.value, axis))
            place = QRect(x - half, y - half, POINT, POINT)
            mine = chosen == (row.track.id, row.target.target, point.at)
            painter.fillRect(place, tones.t1 if mine else colors.outline)
            painter.fillRect(place.adjusted(1, 1, -1, -1), tones.t1 if mine else tones.canvas)
            if mine and focused:
                painter.setPen(QPen(tones.you, 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(place).adjusted(-2, -2, 2, 2))

    def _plate(self, painter: QPainter, row: CurveRow, drag: DragPoint, tones: Tones, fonts: Fonts) -> None:
        """The value of the point that is being moved."""
        point = self._stage.point
        if point is None:
            return
        axis = self._stage.axis
        value = next((one.value for one in drag.shown.points if one.at == point[2]), row.target.rest)
        words = value_words(row.track, row.target, value, self._stage.opened.studio.palette)
        wide = fonts.width(fonts.clip, words) + 2 * NAME_INSET
        plate = QRect(round(axis.x(point[2])) + POINT, axis.row_top(row.lane) + 1, wide, STRIP_HEIGHT)
        painter.fillRect(plate, tones.bar)
        painter.setFont(fonts.clip)
        painter.setPen(tones.t1)
        painter.drawText(plate.adjusted(NAME_INSET, 0, 0, 0), LEFT, words)
