"""The tool over the lanes: which drag a press begins, what selects and resizes, and what lies under the pointer."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from agent.song.ids import ClipId
from agent.song.time import Ticks
from app.i18n import tr, trn
from app.ui.canvas.rubber_band import RubberBand
from app.ui.canvas.tool import Hover, PointerSpot, Tool
from app.ui.timeline.curve_painter import point_at
from app.ui.timeline.ghost_painter import curve_plate
from app.ui.timeline.measures import EDGE_GRIP
from app.ui.timeline.scene import CurveRow, SceneItem
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look
from app.ui.timeline.tools.clips import paint_places
from app.ui.timeline.tools.drag import TimelineDrag
from app.ui.timeline.tools.move import MoveClips
from app.ui.timeline.tools.point import DragPoint
from app.viewmodels.edits.clip_edits import HandEdit, chosen, resized, resized_left, split
from app.viewmodels.plan.ghosts import GhostAutomation
from app.viewmodels.texts.places import bars_in_words, length_in_words
from app.viewmodels.timeline.words import automation_in_words, drop_in_words, ghost_in_words


class SelectClips(TimelineDrag):
    """Selects clips with a rubber band; Ctrl or Shift adds to the selection."""

    def __init__(self, stage: TimelineContext, spot: PointerSpot) -> None:
        self._stage = stage
        self._band = RubberBand(stage.axis, spot.x, spot.y)
        self._before: frozenset[ClipId] = stage.opened.focus.clips.value
        self._kept = self._before if spot.extend else frozenset[ClipId]()

    def move(self, spot: PointerSpot) -> None:
        """Select what the rubber band touches now."""
        stage, band = self._stage, self._band
        band.move(spot.x, spot.y)
        if not band.begun:
            return
        found = stage.scene.within(*band.span, *band.rows, stage.overlay)
        stage.opened.focus.clips.set(self._kept | {item.clip.id for item in found})
        stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Keep the selection."""
        self.move(spot)
        if not self._band.begun:
            self._stage.opened.focus.clips.set(self._kept)

    def cancel(self) -> None:
        """Restore the selection from before."""
        self._stage.opened.focus.clips.set(self._before)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Paint the rubber band."""
        tones, _ = look
        self._band.paint(painter, tones.you)


LEAST = 240
"""Shortest clip in ticks that a drag on the grid makes."""


class ResizeClips(TimelineDrag):
    """Drags the right edge of a clip, or with `left` the left one; the other selected clips change by the same length.
    Notes keep their position in the song; those that no longer fit are cut."""

    settles = True

    def __init__(self, stage: TimelineContext, grabbed: SceneItem, spot: PointerSpot, *, left: bool = False) -> None:
        self._stage = stage
        self._grabbed = grabbed
        self._x = spot.x
        # The song's own place, so that scrolling takes the edge along.
        self._at = stage.axis.at(spot.x)
        self._left = left
        self._clips: frozenset[ClipId] = stage.opened.focus.clips.value
        self._by = 0

    def move(self, spot: PointerSpot) -> None:
        """Move the edge to the nearest grid position; each clip keeps at least a tick."""
        if spot.x == self._x:
            return
        axis, clip, bars = self._stage.axis, self._grabbed.clip, self._stage.song.bar_map
        edge = clip.start if self._left else clip.end
        at = self._stage.snap(edge + axis.at(spot.x) - self._at, spot.free)
        if self._left:
            if at >= clip.end and not spot.free:
                at = max(clip.start, clip.end - LEAST)
            self._by = min(clip.end - 1, at) - clip.start
            self.words = drop_in_words(bars, Ticks(clip.start + self._by), clip.duration - self._by)
        else:
            if at <= clip.start and not spot.free:
                at = min(clip.end, clip.start + LEAST)
            self._by = max(clip.start + 1, at) - clip.end
            self.words = length_in_words(bars, clip.start, clip.duration + self._by)
        self._stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Give the clips their new length."""
        self.move(spot)
        self._stage.commit(self.edit(), self._settled)

    def edit(self) -> HandEdit:
        """The edit that a release would make."""
        change = resized_left if self._left else resized
        return change(self._stage.song, self._clips, self._by)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Paint the clips' outlines at their new length."""
        tones, fonts = look
        scene = self._stage.scene
        places = []
        for track, clip in chosen(scene.song, self._clips):
            lane = scene.lane_of(track.id) or 0
            if self._left:
                by = max(-clip.start, min(clip.duration - 1, self._by))
                places.append((lane, Ticks(clip.start + by), clip.duration - by))
            else:
                places.append((lane, clip.start, Ticks(max(1, clip.duration + self._by))))
        if self._by:
            paint_places(painter, self._stage, places, tones, fonts)

    def _settled(self) -> None:
        self._by = 0


LEAST_FOR_EDGE = 16


class LanesTool(Tool[TimelineDrag]):
    """Selects, moves and resizes clips, and edits automation points."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage
        self._over: GhostAutomation | None = None
        self._tip = ""

    def press(self, spot: PointerSpot, button: Qt.MouseButton) -> TimelineDrag | None:
        """Select what is under the pointer and begin the drag that fits it; None if there is nothing to drag."""
        stage = self._stage
        if button != Qt.MouseButton.LeftButton:
            return None
        stage.refuse("")
        curve = self._curve(spot)
        if curve is not None:
            stage.opened.focus.step.set(curve.cause.step)
            return None
        row = stage.curve_row(stage.axis.row_at(spot.y))
        if row is not None:
            return self._take_point(row, spot)
        item = self._item(spot)
        if item is not None and item.ghost is None and spot.copy and spot.shift:
            self._split(item, spot)
            return None
        if item is None:
            stage.point = None
            lane = stage.axis.row_at(spot.y)
            if 0 <= lane < len(stage.scene.lanes) and stage.scene.lanes[lane].in_song:
                stage.opened.focus.track.set(stage.scene.lanes[lane].track.id)
            return SelectClips(stage, spot)
        stage.point = None
        chosen = item.clip.id in stage.opened.focus.clips.value
        if spot.extend or not chosen:
            stage.choose(item, extend=spot.extend)
        else:
            stage.cursor = item.key
            stage.opened.focus.track.set(item.track.id)
            stage.opened.focus.clip.set(item.clip.id)
            if item.ghost is not None:
                stage.opened.focus.step.set(item.ghost.cause.step)
        if item.ghost is None and item.clip.id in stage.opened.focus.clips.value:
            edge = self._edge(item, spot)
            return ResizeClips(stage, item, spot, left=edge == "left") if edge else MoveClips(stage, item, spot)
        return None

    def double_press(self, _spot: PointerSpot, _button: Qt.MouseButton) -> TimelineDrag | None:
        """None: the view handles double clicks."""
        return None

    def _take_point(self, row: CurveRow, spot: PointerSpot) -> TimelineDrag:
        """Choose the point under the pointer, or add one, and drag it."""
        stage = self._stage
        stage.opened.focus.track.set(row.track.id)
        old = point_at(stage, row, spot.x, spot.y)
        stage.cursor = None
        if old is not None:
            stage.point = (row.track.id, row.target.target, old)
        stage.repaint()
        return DragPoint(stage, row, spot, old)

    def _split(self, item: SceneItem, spot: PointerSpot) -> None:
        """Cut a clip, with the others of the selection if it belongs to it, at the nearest place of the grid."""
        stage = self._stage
        chosen = stage.opened.focus.clips.value
        clips = chosen if item.clip.id in chosen else frozenset([item.clip.id])
        stage.commit(split(stage.song, clips, stage.snap(stage.axis.at(spot.x), spot.free)))

    def hover(self, spot: PointerSpot) -> Hover:
        """Highlight what is under the pointer; returns cursor and tooltip."""
        stage, item, curve = self._stage, self._item(spot), self._curve(spot)
        key = item.key if item is not None else None
        if key != stage.hovered or curve is not self._over:
            stage.hovered, self._over = key, curve
            ghost = curve if curve is not None or item is None else item.ghost
            stage.hover(None if ghost is None else ghost.cause)
            self._tip = "" if item is None else self._words(item)
            if curve is not None:
                self._tip = automation_in_words(stage.scene.song, curve)
            stage.repaint()
        on_edge = item is not None and item.ghost is None and self._edge(item, spot) != ""
        return Hover(Qt.CursorShape.SizeHorCursor if on_edge else Qt.CursorShape.ArrowCursor, self._tip)

    def _curve(self, spot: PointerSpot) -> GhostAutomation | None:
        """The proposed curve whose plate lies there."""
        stage = self._stage
        lane = stage.axis.row_at(spot.y)
        if not stage.overlay or not stage.scene.curves or not 0 <= lane < len(stage.scene.lanes):
            return None
        row = stage.scene.lanes[lane]
        curves = () if row.curve else stage.scene.curves.get(row.track.id, ())
        for order, curve in enumerate(curves):
            if curve_plate(curve, order, stage.axis.row_top(lane), stage.axis).contains(int(spot.x), int(spot.y)):
                return curve
        return None

    def _item(self, spot: PointerSpot) -> SceneItem | None:
        stage = self._stage
        return stage.scene.item_at(stage.axis.row_at(spot.y), stage.axis.at(spot.x), stage.overlay)

    def _edge(self, item: SceneItem, spot: PointerSpot) -> Literal["left", "right", ""]:
        axis = self._stage.axis
        left, right = axis.x(item.clip.start), axis.x(item.clip.end)
        if right - left < LEAST_FOR_EDGE:
            return ""
        if right - spot.x <= EDGE_GRIP:
            return "right"
        return "left" if right - left >= 2 * LEAST_FOR_EDGE and spot.x - left <= EDGE_GRIP else ""

    def _words(self, item: SceneItem) -> str:
        """What lies there."""
        scene = self._stage.scene
        if item.ghost is not None:
            words = ghost_in_words(scene.song, item.track, item.ghost)
        else:
            where = bars_in_words(scene.song.bar_map, item.clip.start, item.clip.end)
            notes = trn("{count} note", "{count} notes", len(item.clip.notes))
            words = f"{item.clip.name} · {where} · {notes}"
            if any(shape.clip.id == item.clip.id and shape.locked for shape in scene.shapes[item.lane]):
                words += " · " + tr("Locked: no step changes it. You can still edit it by hand")
        return words
