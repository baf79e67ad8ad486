"""Draws ghosts: dashed and hatched, because they are not in the song yet."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from agent.song.track import Automation
from app.ui.canvas.time_axis import TimeAxis
from app.ui.kit.painted import HATCH_SIZE, dashed_pen
from app.ui.timeline.clip_painter import ClipPainter
from app.ui.timeline.fonts import LEFT, Fonts
from app.ui.timeline.marks import badge_width, draw_badge, draw_icon
from app.ui.timeline.measures import (
    CLIP_BOTTOM,
    CLIP_TOP,
    CORNER_ICON,
    GHOST_NOTES_TOP,
    GHOST_OUTLINE,
    LIT_OUTLINE,
    NAME_INSET,
    PLATE_HEIGHT,
    PLATE_INSET,
)
from app.ui.timeline.tones import Tones
from app.viewmodels.plan.ghosts import Cause, GhostAutomation, GhostClip

REMOVED_HATCH = 0.35
CURVE_PLATE = 34
"""Width in pixels of the label of a proposed automation: its step's number and an icon."""
FAR = 64
"""Pixels that outlines reach beyond the visible area, so that no dashes are drawn far outside it."""


def ghost_place(ghost: GhostClip, y: int, axis: TimeAxis) -> QRect:
    """The rectangle of a ghost in pixels; `y` is its lane's upper edge."""
    x = round(axis.x(ghost.clip.start))
    width = max(2, round(axis.x(ghost.clip.end)) - x)
    return QRect(x, y + CLIP_TOP, width, axis.row_height - CLIP_TOP - CLIP_BOTTOM)


class GhostPainter:
    """Paints ghosts of clips."""

    def __init__(self, clips: ClipPainter) -> None:
        self._clips = clips

    def draw(
        self, painter: QPainter, ghost: GhostClip, color: str, place: QRect, window: QRect, per_beat: float,
        tones: Tones, fonts: Fonts, *, lit: bool, failed: bool,
    ) -> None:
        """Paint a clip that the plan would add, change or remove, at a zoom of `per_beat` pixels per quarter note.
        `lit`: its step is in focus or hovered; `failed`: its step has failed."""
        track = tones.of(color)
        removed = ghost.kind == "removed"
        if removed or failed:
            outline, ground = tones.bad, tones.canvas
            line = tones.over(tones.bad, REMOVED_HATCH)
        else:
            outline, ground, line = track.outline, track.wash, track.hatch
        seen = place.intersected(window)
        draw_hatch(painter, place, seen, ground, line, tones)
        notes = tones.over(track.outline, 0.45) if removed else track.outline
        self._clips.draw_notes(painter, ghost.clip, place, GHOST_NOTES_TOP, window, per_beat, notes)
        draw_dashed(painter, place, window, tones.t1 if lit else outline, LIT_OUTLINE if lit else GHOST_OUTLINE)
        draw_plate(painter, ghost.cause, ghost.clip.name, place, tones, fonts)
        if place.width() > 60:
            x, top = place.right() - CORNER_ICON - 3, place.y() + 3
            if removed or failed:
                draw_icon(painter, x, top, "x-circle-fill" if failed else "eraser", tones.bad, CORNER_ICON, tones)
            elif ghost.replaced is not None:
                draw_icon(painter, x, top, "swap", track.outline, CORNER_ICON, tones)


def curve_plate(ghost: GhostAutomation, order: int, y: int, axis: TimeAxis) -> QRect:
    """The rectangle of the label of a proposed automation, the `order`th (from 0) of its lane, whose upper edge is `y`;
    it lies at the lane's lower edge."""
    start = ghost.curve.points[0].at if ghost.curve.points else 0
    x = max(0, round(axis.x(start))) + PLATE_INSET[0] + order * (CURVE_PLATE + PLATE_INSET[0])
    return QRect(x, y + axis.row_height - CLIP_BOTTOM - PLATE_HEIGHT - 1, CURVE_PLATE, PLATE_HEIGHT)


def draw_curve(
    painter: QPainter, ghost: GhostAutomation, order: int, color: str, y: int, window: QRect, axis: TimeAxis,
    tones: Tones, fonts: Fonts, *, lit: bool,
) -> None:
    """Paint an automation that the plan would add, change or remove: a dashed curve over its lane (upper edge `y`),
    with its step's number in the label `order` (see `curve_plate`). `lit`: its step is in focus or hovered."""
    removed = ghost.kind == "removed"
    tone = tones.bad if removed else tones.of(color).outline
    area = QRect(0, y + CLIP_TOP + 4, 0, axis.row_height - CLIP_TOP - CLIP_BOTTOM - 8)
    low, high = _reach(ghost)
    painter.save()
    painter.setClipRect(QRect(window.x(), y, window.width(), axis.row_height), Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if ghost.was is not None:
        painter.setPen(QPen(tones.t3, 1, Qt.PenStyle.DotLine))
        painter.drawPolyline(_line(ghost.was, low, high, area, axis, window))
    painter.setPen(dashed_pen(tones.t1 if lit else tone, LIT_OUTLINE if lit else GHOST_OUTLINE + 0.25))
    painter.drawPolyline(_line(ghost.curve, low, high, area, axis, window))
    painter.restore()
    plate = curve_plate(ghost, order, y, axis)
    painter.fillRect(plate, tones.canvas)
    width = draw_badge(painter, plate.x(), plate.y(), str(ghost.cause.number), tones, fonts)
    sign = "eraser" if removed else "swap" if ghost.kind == "changed" else "chart-line"
    draw_icon(painter, plate.x() + width + 2, plate.y() + 1, sign, tone, CORNER_ICON, tones)
    if lit:
        draw_dashed(painter, plate, window, tones.t1, 1)


def _reach(ghost: GhostAutomation) -> tuple[float, float]:
    """The lowest and highest value of both curves, never the same."""
    values = [point.value for curve in (ghost.curve, ghost.was) if curve is not None for point in curve.points]
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _line(
    curve: Automation, low: float, high: float, area: QRect, axis: TimeAxis, window: QRect
) -> QPolygonF:
    """A curve as a line over what can be seen; before its first and after its last point it keeps their values."""
    left, right = window.left() - FAR, window.right() + FAR
    places: list[QPointF] = []
    for point in curve.points:
        at = QPointF(axis.x(point.at), area.bottom() - (point.value - low) / (high - low) * area.height())
        if places and curve.curve == "hold":
            places.append(QPointF(at.x(), places[-1].y()))
        places.append(at)
    if places:
        places.insert(0, QPointF(min(places[0].x(), left), places[0].y()))
        places.append(QPointF(max(places[-1].x(), right), places[-1].y()))
    # Dashes far outside would be drawn for nothing.
    return QPolygonF([
        _between(one, two, x) for one, two in pairwise(places)
        if one.x() <= right and two.x() >= left for x in (max(one.x(), left), min(two.x(), right))
    ])


def _between(one: QPointF, two: QPointF, x: float) -> QPointF:
    """The place of a straight line at a pixel; of an upright one its end that is meant."""
    if two.x() <= one.x():
        return two
    return QPointF(x, one.y() + (two.y() - one.y()) * (x - one.x()) / (two.x() - one.x()))


def draw_hatch(painter: QPainter, place: QRect, seen: QRect, ground: QColor, line: QColor, tones: Tones) -> None:
    """Fill the part `seen` of a rectangle `place` with hatching that scrolls along with it."""
    if seen.isEmpty():
        return
    painter.setBrushOrigin(QPointF(place.x() % HATCH_SIZE, place.y() % HATCH_SIZE))
    painter.fillRect(seen, tones.hatch(ground, line))
    painter.setBrushOrigin(QPointF(0, 0))


def draw_dashed(painter: QPainter, place: QRect, window: QRect, color: QColor, width: float) -> None:
    """Paint a dashed outline, `width` pixels wide, as far as `window` shows it."""
    left = max(place.left(), window.left() - FAR)
    right = min(place.right(), window.right() + FAR)
    if right < left:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = width / 2
    frame = QRectF(place).adjusted(inset, inset, -inset, -inset)
    pen = dashed_pen(color, width)
    painter.setPen(pen)
    painter.drawLine(frame.topLeft(), frame.bottomLeft())
    painter.drawLine(frame.topRight(), frame.bottomRight())
    # Dashes count from the thing's own edge, so that a part that is painted alone fits the rest.
    start, end = max(frame.left(), left), min(frame.right(), right)
    pen.setDashOffset((start - frame.left()) / width)
    painter.setPen(pen)
    painter.drawLine(QPointF(start, frame.top()), QPointF(end, frame.top()))
    painter.drawLine(QPointF(start, frame.bottom()), QPointF(end, frame.bottom()))
    painter.restore()


def draw_plate(
    painter: QPainter, cause: Cause, name: str, place: QRect, tones: Tones, fonts: Fonts
) -> None:
    """Paint a label at the upper left of `place`: the step's number and the name, on an opaque ground."""
    number = str(cause.number)
    badge = badge_width(number, fonts)
    dx, dy = PLATE_INSET
    if place.width() < badge + 2 * dx:
        return
    x = max(place.x() + dx, min(dx, place.right() - badge - dx))
    y = place.y() + dy
    room = place.right() - x - badge - 2 * NAME_INSET - CORNER_ICON - dx
    text = fonts.short(fonts.clip, name, room) if room > 16 else ""
    width = badge + (fonts.width(fonts.clip, text) + 2 * NAME_INSET if text else 0)
    painter.fillRect(x, y, width, PLATE_HEIGHT, tones.canvas)
    draw_badge(painter, x, y, number, tones, fonts)
    if text:
        painter.setFont(fonts.clip)
        painter.setPen(tones.t1)
        painter.drawText(QRect(x + badge + NAME_INSET, y, width, PLATE_HEIGHT), LEFT, text)
