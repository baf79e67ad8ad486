"""Paints the lanes: ground, grid, clips, ghosts, loop and playhead."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.ids import ClipId
from app.i18n import tr
from app.ui.canvas.layer import Layer, fill_all
from app.ui.timeline.clip_painter import ClipPainter
from app.ui.timeline.curve_painter import CurvePainter
from app.ui.timeline.fonts import Fonts
from app.ui.timeline.ghost_painter import GhostPainter, draw_curve, draw_hatch, ghost_place
from app.ui.timeline.marks import draw_icon
from app.ui.timeline.measures import CLIP_BOTTOM, CLIP_TOP, LIT_OUTLINE
from app.ui.timeline.note_rects import ClipRects
from app.ui.timeline.scene import ClipShape
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look, Tones
from app.ui.timeline.tools.drag import TimelineDrag
from app.ui.timeline.tools.move import MoveClips
from app.viewmodels.timeline.layout import lines_between

_MARGIN = 8
"""Pixels around the painted rectangle that are painted too."""
LOOP_SHARE = 128
HOVER_SHARE = 153
LIFTED_SHARE = 166
BARS_SHARE = 26
"""Alpha of 255: the loop's edges, the outline under the pointer, the veil over clips that are dragged away, and that
over chosen bars."""


class Lanes(Layer[Look]):
    """Paints the lanes with the drag under way (`drag`), and the focus ring while `focused()`."""

    def __init__(
        self, stage: TimelineContext, drag: Callable[[], TimelineDrag | None], focused: Callable[[], bool]
    ) -> None:
        self._stage = stage
        self._drag = drag
        self._focused = focused
        self.clips = ClipPainter(ClipRects())
        self._ghosts = GhostPainter(self.clips)
        self._curves = CurvePainter(stage)

    @property
    def unfinished(self) -> bool:
        """Whether a clip was not painted completely and another frame is needed."""
        return self.clips.unfinished

    def paint(self, painter: QPainter, window: QRect, look: Look) -> None:
        """Paint what lies in the rectangle `window`."""
        self.clips.begin()
        (tones, fonts), drag, focused = look, self._drag(), self._focused()
        scene, axis = self._stage.scene, self._stage.axis
        first = max(0, axis.row_at(window.top()))
        lanes = range(first, min(len(scene.lanes), axis.row_at(window.bottom()) + 1))
        self._ground(painter, window, lanes, tones)
        self._bars(painter, window, tones)
        for lane in lanes:
            row = self._stage.curve_row(lane)
            if row is not None:
                self._curves.draw(painter, row, window, drag, tones, fonts, focused=focused)
                continue
            self.clips.draw(painter, scene.shapes[lane], axis.row_top(lane), axis, window, tones, fonts)
        lifted = drag.lifted if isinstance(drag, MoveClips) else frozenset[ClipId]()
        self._outlines(painter, window, lanes, lifted, tones)
        if self._stage.overlay:
            for lane in lanes:
                self._ghosts_of(painter, window, lane, tones, fonts)
        self._cursor(painter, tones, focused=focused)
        self._loop(painter, window, tones)
        if drag is not None:
            drag.paint(painter, look)
        if not scene.lanes:
            painter.setFont(fonts.label)
            painter.setPen(tones.t3)
            painter.drawText(painter.viewport(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), tr(
                "No tracks yet. Write a request in the chat, right-click to add a track, or drop a MIDI file here."
            ))
        x = round(axis.x(self._stage.opened.playback.position()))
        painter.fillRect(x, window.top(), 1, window.height(), tones.t1)

    def _ground(self, painter: QPainter, window: QRect, lanes: range, tones: Tones) -> None:
        axis, scene = self._stage.axis, self._stage.scene
        painter.fillRect(window, tones.canvas)
        for lane in lanes:
            y = axis.row_top(lane)
            proposed = scene.lanes[lane].proposed
            if lane % 2:
                painter.fillRect(window.left(), y, window.width(), axis.row_height, tones.row2)
            if proposed is not None and self._stage.overlay:
                place = QRect(-axis.left, y, axis.width, axis.row_height - 1)
                added = proposed.kind == "added"
                faint = tones.over(QColor(proposed.track.color) if added else tones.bad, 0.10 if added else 0.20)
                draw_hatch(painter, place, place.intersected(window), tones.canvas, faint, tones)
            painter.fillRect(window.left(), y + axis.row_height - 1, window.width(), 1, tones.line)
        bottom = axis.row_top(len(scene.lanes)) if scene.lanes else window.bottom()
        height = min(window.bottom() + 1, bottom) - window.top()
        start, end = int(axis.at(window.left())), int(axis.at(window.right() + 1))
        strong: list[QRect] = []
        weak: list[QRect] = []
        for line in lines_between(scene.song.bar_map, start, end, axis.per_beat):
            place = QRect(round(axis.x(line.at)), window.top(), 1, height)
            (strong if line.weight == "strong" else weak).append(place)
        fill_all(painter, weak, tones.grid)
        fill_all(painter, strong, tones.grid2)
        for section in scene.song.sections:
            x = round(axis.x(section.start))
            if window.left() <= x <= window.right():
                painter.fillRect(x, window.top(), 1, height, tones.grid3)

    def _outlines(
        self, painter: QPainter, window: QRect, lanes: range, lifted: frozenset[ClipId], tones: Tones
    ) -> None:
        """Selection, the pointer's clip, rows that are done, and clips that are being dragged away."""
        stage = self._stage
        selected, hovered, done = stage.opened.focus.clips.value, stage.hovered, stage.scene.done
        over = None if hovered is None or hovered[1] else hovered[0]
        if not selected and over is None and not done:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for lane in lanes:
            for shape in stage.scene.shapes[lane]:
                clip_id = shape.clip.id
                if clip_id not in selected and clip_id != over and clip_id not in done:
                    continue
                place = self.place(shape, lane)
                if not place.intersects(window):
                    continue
                place = place.intersected(window.adjusted(-8, -8, 8, 8))
                if clip_id in lifted:
                    veil = QColor(tones.canvas)
                    veil.setAlpha(LIFTED_SHARE)
                    painter.fillRect(place, veil)
                if clip_id in done and place.width() > 24:
                    draw_icon(painter, place.right() - 13, place.y(), "check-circle-fill", tones.on_track, 12, tones)
                if clip_id in selected:
                    painter.setPen(QPen(tones.t1, LIT_OUTLINE))
                    painter.drawRect(place.adjusted(1, 1, -1, -1))
                elif clip_id == over:
                    soft = QColor(tones.t1)
                    soft.setAlpha(HOVER_SHARE)
                    painter.setPen(QPen(soft, 1))
                    painter.drawRect(place.adjusted(0, 0, -1, -1))

    def _ghosts_of(self, painter: QPainter, window: QRect, lane: int, tones: Tones, fonts: Fonts) -> None:
        stage = self._stage
        row, y, failed = stage.scene.lanes[lane], stage.axis.row_top(lane), stage.failed
        selected = stage.opened.focus.clips.value
        if row.curve:
            return
        for order, curve in enumerate(stage.scene.curves.get(row.track.id, ())):
            draw_curve(
                painter, curve, order, row.track.color, y, window, stage.axis, tones, fonts, lit=stage.lit(curve.cause),
            )
        # A plan may have thousands; a wide margin is left for what has a least width in pixels.
        first, last = stage.axis.at(window.left() - _MARGIN), stage.axis.at(window.right() + _MARGIN)
        for ghost in row.ghosts:
            was = ghost.replaced or ghost.clip
            if max(ghost.clip.end, was.end) < first or min(ghost.clip.start, was.start) > last:
                continue
            place = ghost_place(ghost, y, stage.axis)
            if ghost.replaced is not None:
                self._cover(painter, ghost.replaced.start, ghost.replaced.end, lane, window, tones)
            if place.left() > window.right() or place.right() < window.left():
                continue
            self._ghosts.draw(
                painter, ghost, row.track.color, place, window, stage.axis.per_beat, tones, fonts,
                lit=stage.lit(ghost.cause) or ghost.clip.id in selected or stage.hovered == (ghost.clip.id, True),
                failed=not failed.isdisjoint(ghost.cause.steps),
            )

    def _cover(self, painter: QPainter, start: int, end: int, lane: int, window: QRect, tones: Tones) -> None:
        """A replaced clip disappears."""
        axis = self._stage.axis
        x = round(axis.x(start))
        tall = axis.row_height - CLIP_TOP - CLIP_BOTTOM
        place = QRect(x, axis.row_top(lane) + CLIP_TOP, round(axis.x(end)) - x, tall)
        painter.fillRect(place.intersected(window), tones.canvas)

    def _cursor(self, painter: QPainter, tones: Tones, *, focused: bool) -> None:
        """The focus ring around the item that the keyboard is at."""
        item = self._stage.scene.find(self._stage.cursor, self._stage.overlay)
        if item is None or not focused:
            return
        axis = self._stage.axis
        left, right = round(axis.x(item.clip.start)), round(axis.x(item.clip.end))
        left, right = max(left, -20), min(right, 20_000)
        place = QRect(
            left, axis.row_top(item.lane) + CLIP_TOP, right - left, axis.row_height - CLIP_TOP - CLIP_BOTTOM
        )
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(tones.you, 2))
        painter.drawRect(place.adjusted(1, 1, -1, -1))
        # What sets it off from the clip stays away from the name.
        inner = place.adjusted(2, 2, -2, -2)
        painter.setPen(QPen(tones.canvas, 1))
        painter.drawPolyline([inner.topLeft(), inner.bottomLeft(), inner.bottomRight(), inner.topRight()])

    def _bars(self, painter: QPainter, window: QRect, tones: Tones) -> None:
        """The stretch of bars that is chosen, through all lanes."""
        bars = self._stage.opened.focus.bars.value
        if bars is None:
            return
        start, end = (round(self._stage.axis.x(at)) for at in self._stage.song.bar_map.span(*bars))
        left, right = max(start, window.left() - 2), min(end, window.right() + 2)
        veil, edge = QColor(tones.you), QColor(tones.you)
        veil.setAlpha(BARS_SHARE)
        edge.setAlpha(LOOP_SHARE)
        if left < right:
            painter.fillRect(left, window.top(), right - left, window.height(), veil)
        for x in (start, end):
            painter.fillRect(x, window.top(), 1, window.height(), edge)

    def _loop(self, painter: QPainter, window: QRect, tones: Tones) -> None:
        state = self._stage.opened.playback.state.value
        if state.loop is None or not state.looping:
            return
        color = QColor(tones.you)
        color.setAlpha(LOOP_SHARE)
        for at in state.loop:
            painter.fillRect(round(self._stage.axis.x(at)), window.top(), 1, window.height(), color)

    def place(self, shape: ClipShape, lane: int) -> QRect:
        """The rectangle of a clip in pixels."""
        axis = self._stage.axis
        left, right = round(shape.start * axis.per_beat) - axis.left, round(shape.end * axis.per_beat) - axis.left
        height = axis.row_height - CLIP_TOP - CLIP_BOTTOM
        return QRect(left, axis.row_top(lane) + CLIP_TOP, max(2, right - left), height)
