"""Track headers: name, steps that change the track, mute, solo, volume and level."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from agent.song.ids import TrackId
from app.i18n import tr
from app.ui.canvas.accessibility import describe
from app.ui.canvas.tool import spot_of
from app.ui.kit.accessibility.accessible_parts import AccessibleParts
from app.ui.timeline.actions import TimelineActions
from app.ui.timeline.commands import AskTrackName
from app.ui.timeline.header_parts import header_parts, track_in_words
from app.ui.timeline.header_places import part_at, words_at
from app.ui.timeline.header_state import HeaderState
from app.ui.timeline.measures import HEADER_WIDTH, METER_AT, NAME_AT
from app.ui.timeline.menus import Menus
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look
from app.ui.timeline.tools.pan import DragPan
from app.ui.timeline.tools.track import DragTrack
from app.ui.timeline.tools.volume import DragVolume
from app.viewmodels.edits.clip_edits import find_track, muted
from app.viewmodels.edits.mixing import FADER_STEP, PAN_STEP, with_mix
from app.viewmodels.plan.ghosts import Cause
from app.viewmodels.timeline.layout import Lane


class Headers(QWidget):
    """The painted track headers, one for each lane. Up and down keys choose a track, left and right change its
    volume."""

    def __init__(
        self, stage: TimelineContext, look: Callable[[], Look], parent: QWidget, menus: Menus, actions: TimelineActions
    ) -> None:
        super().__init__(parent)
        self.stage = stage
        self._menus = menus
        self._actions = actions
        self._look = look
        self.state = HeaderState(stage, look, self._key_heard)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Track headers"))
        self.accessibility = AccessibleParts(self, lambda: header_parts(self.state))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the headers that need it."""
        tones, fonts = self._look()
        painter = QPainter(self)
        axis, scene = self.stage.axis, self.stage.scene
        painter.fillRect(event.rect(), tones.panel)
        first = max(0, axis.row_at(event.rect().top()))
        for lane in range(first, min(len(scene.lanes), axis.row_at(event.rect().bottom()) + 1)):
            place = QRect(0, axis.row_top(lane), HEADER_WIDTH, axis.row_height)
            row = scene.lanes[lane]
            self.state.painter.draw(
                painter, row, place, self.state.mix_of(row), self.state.levels.of(row.track.id), tones, fonts,
                focused=self.hasFocus(),
            )
        if isinstance(self.state.drag, DragTrack) and self.state.drag.gap is not None:
            painter.fillRect(0, axis.row_top(self.state.drag.gap) - 1, HEADER_WIDTH, 2, tones.you)
        painter.end()

    def paint_levels(self) -> None:
        """Repaint only the level meters."""
        self.update(METER_AT[0], 0, HEADER_WIDTH - METER_AT[0], self.height())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Toggle mute, solo or lock, begin to drag fader or pan, or make the track current and begin to drag it."""
        lane = self._lane_at(event.position().toPoint())
        if lane is None or event.button() != Qt.MouseButton.LeftButton:
            return
        stage, track = self.stage, lane.track.id
        if lane.proposed is not None:
            stage.opened.focus.step.set(lane.proposed.cause.step)
        if not lane.in_song:
            return
        stage.opened.focus.track.set(track)
        x, y = event.position().x(), event.position().y() - self._top_of(track)
        if lane.curve:
            self.state.press_curve(lane, x)
            return
        part = part_at(x, y, stage.axis.row_height)
        if part == "mute":
            stage.commit(muted(stage.song, track))
        elif part == "solo":
            stage.toggle_solo(track)
        elif part == "volume":
            self.state.drag = DragVolume(stage, track, spot_of(event))
            self.state.drag.move(spot_of(event))
        elif part == "pan":
            self.state.drag = DragPan(stage, track, spot_of(event))
        elif part == "lock":
            stage.toggle_lock(track)
        elif (mark := self.state.cause_at(lane, x, y)) is not None:
            stage.opened.focus.step.set(mark.step)
        else:
            self.state.drag = DragTrack(stage, track, spot_of(event))
        stage.repaint()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Reset the fader to 0 dB or the pan to the centre; on the name, rename the track."""
        lane = self._lane_at(event.position().toPoint())
        if lane is None or not lane.in_song or lane.curve or event.button() != Qt.MouseButton.LeftButton:
            return
        x, y = event.position().x(), event.position().y() - self._top_of(lane.track.id)
        song = self.stage.song
        match part_at(x, y, self.stage.axis.row_height):
            case "volume":
                self.stage.commit(with_mix(song, lane.track.id, 0.0, None))
            case "pan":
                self.stage.commit(with_mix(song, lane.track.id, None, 0.0))
            case "":
                self.stage.asked.emit(AskTrackName(lane.track.id))
            case _:
                self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Continue a drag, or light the step of the badge under the pointer."""
        if self.state.drag is not None:
            self.state.drag.move(spot_of(event))
        else:
            self.stage.hover(self._cause_at(event.position().toPoint()))

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802
        """End the highlight of a step."""
        self.stage.hover(None)

    def _cause_at(self, place: QPoint) -> Cause | None:
        """The row that makes the track at a place, or whose badge lies there."""
        lane = self._lane_at(place)
        if lane is None:
            return None
        if lane.proposed is not None:
            return lane.proposed.cause
        return self.state.cause_at(lane, place.x(), place.y() - self._top_of(lane.track.id))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Finish a drag."""
        drag = self.state.drag
        if drag is not None:
            drag.release(spot_of(event))
            self.state.drag = None

    @property
    def held(self) -> bool:
        """Whether a drag is under way."""
        return self.state.drag is not None

    def event(self, event: QEvent) -> bool:
        """Show tooltips of the control under the pointer; Esc cancels a drag before it means anything else."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if event.key() == Qt.Key.Key_Escape and self.held:
                event.accept()
                return True
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            lane = self._lane_at(event.pos())
            words = "" if lane is None else words_at(
                self.stage, lane, event.pos().x(), event.pos().y() - self._top_of(lane.track.id)
            )
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def cancel(self) -> bool:
        """Cancel a drag, which restores the old value; returns whether there was one."""
        drag, self.state.drag = self.state.drag, None
        if drag is not None:
            drag.cancel()
            self.stage.repaint()
        return drag is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Up and down choose a track, with Alt move it; left and right change its volume by half a decibel, with Shift
        its pan."""
        key = event.key()
        if key == Qt.Key.Key_Escape and self.cancel():
            return
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and alt:
            self._actions.move_track(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
            self._nudge(pan=PAN_STEP if key == Qt.Key.Key_Right else -PAN_STEP)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.step_track(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self._nudge(volume=FADER_STEP if key == Qt.Key.Key_Right else -FADER_STEP)
        else:
            event.ignore()

    def step_track(self, by: int) -> None:
        """Make the track so many places down (negative: up) the current one, within the song's tracks."""
        tracks = [track.id for track in self.stage.song.tracks]
        now = self.stage.opened.focus.track.value
        if tracks:
            at = tracks.index(now) + by if now in tracks else 0
            self.stage.opened.focus.track.set(tracks[max(0, min(len(tracks) - 1, at))])

    def describe(self) -> None:
        """Update the accessible description: the current track."""
        self.accessibility.outdated()
        now = self.stage.opened.focus.track.value
        row = next((one for one in self.stage.scene.lanes if one.track.id == now and one.in_song), None)
        describe(self, "" if row is None else track_in_words(self.state, row))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Open the context menu of the track, or of an automation row."""
        lane, place = self._lane_at(event.pos()), event.globalPos()
        track = self.stage.opened.focus.track.value
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            row = self.stage.curve_row(self.stage.axis.row_at(event.pos().y()))
            if row is not None:
                self._menus.tracks.curve(row).popup(place)
                return
            if lane is None:
                self._menus.ground().popup(place)
                return
            if not lane.in_song:
                return
            track = lane.track.id
            self.stage.opened.focus.track.set(track)
        elif track is not None:
            place = self.mapToGlobal(QPoint(NAME_AT, self._top_of(track) + NAME_AT))
        if track is not None and find_track(self.stage.song, track) is not None:
            self.menu(track).popup(place)

    def menu(self, track: TrackId) -> QMenu:
        """The context menu of a track; it deletes itself when it is closed."""
        return self._menus.tracks.menu(track, self)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to the lanes, which scroll."""
        event.ignore()

    def _nudge(self, *, volume: float = 0.0, pan: float = 0.0) -> None:
        track = find_track(self.stage.song, self.stage.opened.focus.track.value)
        if track is not None:
            self.state.keyed.nudge(track.id, (track.volume_db, track.pan), volume=volume, pan=pan)

    def _key_heard(self) -> None:
        self.describe()
        self.stage.repaint()

    def _lane_at(self, place: QPoint) -> Lane | None:
        lane = self.stage.axis.row_at(place.y())
        lanes = self.stage.scene.lanes
        return lanes[lane] if 0 <= lane < len(lanes) else None

    def _top_of(self, track: TrackId) -> int:
        return self.stage.axis.row_top(self.stage.scene.lane_of(track) or 0)
