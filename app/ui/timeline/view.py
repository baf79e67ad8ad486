"""The timeline as the shell uses it: its actions, its keys and menus, and files that are let go over it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
)

from agent.song.time import Ticks
from app.ui.timeline.area import TimelineArea
from app.ui.timeline.commands import ZoomSteps
from app.ui.timeline.shortcuts import command_of, takes_key


class TimelineView(TimelineArea):
    """Shows the working song with the ghosts of the proposal, and edits it through the open project.

    `close_view` ends timers and subscriptions. Signal `file_dropped` carries the path of a MIDI file dropped on an
    empty song."""

    file_dropped = Signal(Path)

    def zoom_in(self) -> None:
        """Zoom in a step, around the playhead if it is visible."""
        self.carry_out(ZoomSteps(1))

    def zoom_out(self) -> None:
        """Zoom out a step."""
        self.carry_out(ZoomSteps(-1))

    def select_all(self) -> None:
        """Select every clip of the song."""
        self.song_actions.select_all()

    def delete_selected(self) -> None:
        """Delete the selected clips."""
        self.song_actions.delete_selected()

    def duplicate_selected(self) -> None:
        """Add copies of the selected clips right after them."""
        self.song_actions.duplicate_selected()

    def rename_selected(self) -> None:
        """Rename the current clip, else the current track, in place."""
        self.renaming.selected()

    def toggle_overlay(self) -> None:
        """Show or hide the ghosts of the plan."""
        overlay = self.stage.opened.focus.overlay
        overlay.set(not overlay.value)

    def toggle_follow(self) -> None:
        """Follow the playhead, or stop following."""
        follow = self.stage.opened.focus.follow
        follow.set(not follow.value)

    def loop_selection(self) -> None:
        """Loop the range from the first start to the last end of the selected clips; without any, the chosen bars."""
        self.song_actions.loop_selection()

    def mute_track(self) -> None:
        """Mute the current track, or unmute it."""
        self.song_actions.mute_track()

    def solo_track(self) -> None:
        """Solo the current track, or end its solo."""
        self.song_actions.solo_track()

    def nudge(self, steps: int) -> None:
        """Move the selected clips by so many grid steps; negative is earlier. Does nothing without a selection."""
        self.song_actions.nudge(steps)

    def split_selected(self) -> None:
        """Split the selected clips, or without a selection those of the current track, at the playhead."""
        self.song_actions.split_selected()

    def delete_track(self) -> None:
        """Delete the current track."""
        self.song_actions.delete_track()

    def duplicate_track(self) -> None:
        """Insert a copy of the current track below it."""
        self.song_actions.duplicate_track()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Open the notes of the clip or ghost under the pointer; delete an automation point; add a clip at an empty
        place."""
        stage, lane = self.stage, self.stage.axis.row_at(event.position().y())
        at = stage.axis.at(event.position().x())
        if stage.curve_row(lane) is not None:
            self.song_actions.points.delete()
            return
        item = stage.scene.item_at(lane, at, stage.overlay)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if item is not None:
            stage.choose(item)
            self.notes_wanted.emit(item.clip.id)
        elif 0 <= lane < len(stage.scene.lanes) and stage.scene.lanes[lane].in_song:
            self.menus.new_clip(stage.scene.lanes[lane].track, Ticks(stage.snap(at, free=False)))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Open the context menu of what is under the pointer, or by keyboard of the current item."""
        menu, place = self.menus.at(event.pos(), by_keyboard=event.reason() == QContextMenuEvent.Reason.Keyboard)
        if menu is not None:
            menu.popup(self.viewport().mapToGlobal(place))

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is handled here before the window's shortcuts: only keys for what is selected here."""
        return takes_key(self.stage, self.song_actions, event, dragging=self.dragging)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Arrow keys move from clip to clip; Esc cancels a drag; other keys run the commands of the menus."""
        act = command_of(self.stage, self.song_actions, event)
        if event.key() == Qt.Key.Key_Escape and self.cancel_drag():
            self.repaint_all()
        elif event.key() == Qt.Key.Key_Alt and self.pointer.drag is None:
            self.stage.peeking = True
            self.repaint_all()
        elif act is None:
            event.ignore()
        else:
            act()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Show ghosts again when Alt is released."""
        if event.key() == Qt.Key.Key_Alt and self.stage.peeking:
            self.stage.peeking = False
            self.repaint_all()
        super().keyReleaseEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Accept a MIDI file; in an empty song it is left to the window."""
        self.file.enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802
        """Show the bar at which the file's tracks would be added."""
        self.file.move(event)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:  # noqa: N802
        """Remove the preview of the drop."""
        self.file.leave()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Add the file's tracks at the bar under the pointer; in an empty song emit `file_dropped` instead."""
        path = self.file.drop(event)
        if path is not None:
            self.file_dropped.emit(path)
