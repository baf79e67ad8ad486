"""The pointer over the lanes: which gesture a press begins, and what lies under it."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.desktop.edits.clip_edits import split
from app.desktop.review.ghosts import GhostAutomation
from app.desktop.texts.places import bars_in_words
from app.desktop.timeline.words import automation_in_words, ghost_in_words
from app.ui.canvas.tool import Holding, Spot, spot_of
from app.ui.timeline.curve_painter import point_at
from app.ui.timeline.gestures.band import SelectClips
from app.ui.timeline.gestures.gesture import Gesture
from app.ui.timeline.gestures.move import MoveClips
from app.ui.timeline.gestures.point import DragPoint
from app.ui.timeline.gestures.resize import ResizeClips
from app.ui.timeline.ghost_painter import curve_plate
from app.ui.timeline.measures import EDGE_GRIP
from app.ui.timeline.scene import CurveRow, Item
from app.ui.timeline.stage import Stage
from app.words import tr, trn

LEAST_FOR_EDGE = 16


class Hand:
    """Holds the gesture under way, and afterwards the one whose edit is not in the song yet."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._holding = Holding[Gesture]()
        self._over: GhostAutomation | None = None

    @property
    def gesture(self) -> Gesture | None:
        """The gesture to paint."""
        return self._holding.shown

    @property
    def held(self) -> bool:
        """Whether a drag is under way."""
        return self._holding.held is not None

    def press(self, event: QMouseEvent) -> None:
        """Select what lies there and begin the drag that fits it."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        spot = spot_of(event)
        stage = self._stage
        stage.refuse("")
        curve = self._curve(spot)
        if curve is not None:
            stage.opened.focus.step.set(curve.cause.step)
            return
        row = stage.curve_row(stage.axis.row_at(spot.y))
        if row is not None:
            self._take_point(row, spot)
            return
        item = self._item(spot)
        if item is not None and item.ghost is None and spot.copy and spot.shift:
            self._split(item, spot)
            return
        if item is None:
            stage.point = None
            lane = stage.axis.row_at(spot.y)
            if 0 <= lane < len(stage.scene.lanes) and stage.scene.lanes[lane].in_song:
                stage.opened.focus.track.set(stage.scene.lanes[lane].track.id)
            self._holding.take(SelectClips(stage, spot))
            return
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
            self._holding.take(
                ResizeClips(stage, item, spot, left=edge == "left") if edge else MoveClips(stage, item, spot)
            )

    def _take_point(self, row: CurveRow, spot: Spot) -> None:
        """Choose the point under the pointer, or add one, and drag it."""
        stage = self._stage
        stage.opened.focus.track.set(row.track.id)
        old = point_at(stage, row, spot.x, spot.y)
        stage.cursor = None
        if old is not None:
            stage.point = (row.track.id, row.target.target, old)
        self._holding.take(DragPoint(stage, row, spot, old))
        stage.repaint()

    def _split(self, item: Item, spot: Spot) -> None:
        """Cut a clip, with the others of the selection if it belongs to it, at the nearest place of the grid."""
        stage = self._stage
        chosen = stage.opened.focus.clips.value
        clips = chosen if item.clip.id in chosen else frozenset([item.clip.id])
        stage.commit(split(stage.song, clips, stage.snap(stage.axis.at(spot.x), spot.free)))

    def hover_or_move(self, event: QMouseEvent, area: QWidget) -> None:
        """Go on with the drag, or light what lies under the pointer."""
        spot = spot_of(event)
        held = self._holding.held
        if held is not None:
            held.move(spot)
            self._stage.refuse(held.reason)
            if held.words:
                QToolTip.hideText()
            return
        item = self._item(spot)
        curve = self._curve(spot)
        key = item.key if item is not None else None
        if key != self._stage.hovered or curve is not self._over:
            self._stage.hovered, self._over = key, curve
            ghost = curve if curve is not None or item is None else item.ghost
            self._stage.hover(None if ghost is None else ghost.cause)
            area.setToolTip("" if item is None else self._tip(item))
            if curve is not None:
                area.setToolTip(plain(automation_in_words(self._stage.scene.song, curve)))
            area.update()
        on_edge = item is not None and item.ghost is None and self._edge(item, spot) != ""
        area.setCursor(Qt.CursorShape.SizeHorCursor if on_edge else Qt.CursorShape.ArrowCursor)

    def release(self, event: QMouseEvent) -> None:
        """Do what the drag was for."""
        held = self._holding.held
        if held is not None:
            self._holding.let_go()
            held.release(spot_of(event))
            self._stage.repaint()

    def cancel(self) -> bool:
        """End the drag without its effect; whether there was one."""
        given_up = self._holding.cancel()
        if given_up:
            self._stage.refuse("")
        return given_up

    def _curve(self, spot: Spot) -> GhostAutomation | None:
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

    def _item(self, spot: Spot) -> Item | None:
        stage = self._stage
        return stage.scene.item_at(stage.axis.row_at(spot.y), stage.axis.at(spot.x), stage.overlay)

    def _edge(self, item: Item, spot: Spot) -> Literal["left", "right", ""]:
        axis = self._stage.axis
        left, right = axis.x(item.clip.start), axis.x(item.clip.end)
        if right - left < LEAST_FOR_EDGE:
            return ""
        if right - spot.x <= EDGE_GRIP:
            return "right"
        return "left" if right - left >= 2 * LEAST_FOR_EDGE and spot.x - left <= EDGE_GRIP else ""

    def _tip(self, item: Item) -> str:
        """What lies there, as plain text."""
        scene = self._stage.scene
        if item.ghost is not None:
            words = ghost_in_words(scene.song, item.track, item.ghost)
        else:
            where = bars_in_words(scene.song.bar_map, item.clip.start, item.clip.end)
            notes = trn("{count} note", "{count} notes", len(item.clip.notes))
            words = f"{item.clip.name} · {where} · {notes}"
            if any(shape.clip.id == item.clip.id and shape.locked for shape in scene.shapes[item.lane]):
                words += " · " + tr("Locked: no step changes it. You can still edit it by hand")
        return plain(words)


def plain(words: str) -> str:
    """A text that a tooltip does not take for markup."""
    if "<" not in words and "&" not in words:
        return words
    return "<qt>" + words.replace("&", "&amp;").replace("<", "&lt;") + "</qt>"
