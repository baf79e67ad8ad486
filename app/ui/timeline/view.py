"""The timeline as the shell uses it: its actions, its keys and menus, and files that are let go over it."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtCore import Qt
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
from app.ui.timeline.commands import AskName, TimelineAction, ZoomSelection, ZoomSteps
from app.ui.timeline.shortcuts import command_of, takes_key


class TimelineView(TimelineArea):
    """Shows the working song with the ghosts of the proposal, and edits it through the open project. `close_view` ends
    timers and subscriptions."""

    def do(self, action: TimelineAction) -> None:
        """Carry out an action of the window; one without anything to act on does nothing."""
        actions = self.song_actions
        match action:
            case "zoom in":
                self.carry_out(ZoomSteps(1))
            case "zoom out":
                self.carry_out(ZoomSteps(-1))
            case "zoom song":
                self.zoom_song()
            case "zoom selection":
                self.carry_out(ZoomSelection())
            case "select all":
                actions.select_all()
            case "delete":
                actions.delete_selected()
            case "duplicate":
                actions.duplicate_selected()
            case "split":
                actions.split_selected()
            case "rename":
                self.carry_out(AskName())
            case "add track":
                self.add_track()
            case "duplicate track":
                actions.duplicate_track()
            case "delete track":
                actions.delete_track()
            case "mute":
                actions.mute_track()
            case "solo":
                actions.solo_track()
            case "loop":
                actions.loop_selection()
            case _:
                assert_never(action)

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
        """Add the file's tracks at the bar under the pointer."""
        self.file.drop(event)
