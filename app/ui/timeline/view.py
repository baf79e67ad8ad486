"""The timeline as the shell uses it: its actions, its keys, and files that are let go over it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QMouseEvent

from app.ui.timeline.area import TimelineArea
from app.ui.timeline.keys import handle_key

MIDI = (".mid", ".midi")


class TimelineView(TimelineArea):
    """Shows the working song with the ghosts of the proposal, and edits it through the open project's one door.

    `close_view` ends its timers and stops listening. `file_dropped` tells of a MIDI file that was let go over it.
    """

    file_dropped = Signal(Path)

    def zoom_in(self) -> None:
        """A step nearer, around the playhead if it can be seen."""
        self.acts.zoom_step(1)

    def zoom_out(self) -> None:
        """A step farther."""
        self.acts.zoom_step(-1)

    def zoom_song(self) -> None:
        """The whole song at once."""
        self.acts.zoom_song()

    def select_all(self) -> None:
        """Select every clip of the song."""
        self.acts.select_all()

    def delete_selected(self) -> None:
        """Delete the selected clips."""
        self.acts.delete_selected()

    def duplicate_selected(self) -> None:
        """Repeat the selected clips right after themselves."""
        self.acts.duplicate_selected()

    def rename_selected(self) -> None:
        """Rename the current clip, else the current track, in place."""
        self.acts.rename_selected()

    def toggle_overlay(self) -> None:
        """Show or hide the ghosts of the plan."""
        overlay = self.stage.opened.focus.overlay
        overlay.set(not overlay.value)

    def toggle_follow(self) -> None:
        """Let the view follow the playhead, or not."""
        self.follow_playhead(not self.follow)

    def loop_selection(self) -> None:
        """Loop the stretch that the selected clips cover."""
        self.acts.loop_selection()

    def mute_track(self) -> None:
        """Mute the current track, or let it be heard again."""
        self.acts.mute_track()

    def solo_track(self) -> None:
        """Hear the current track alone, or no longer."""
        self.acts.solo_track()

    def nudge(self, steps: int) -> None:
        """Move the selected clips by steps of the grid."""
        self.acts.nudge(steps)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """Rename the clip under the pointer."""
        if self.stage.cursor is not None and not self.stage.cursor[1]:
            self.rename_selected()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Arrows go from clip to clip; the rest is what the menus offer too."""
        if event.key() == Qt.Key.Key_Escape and self.cancel_drag():
            self.stage.repaint()
        elif event.key() == Qt.Key.Key_Alt and self.gesture is None:
            self.stage.peeking = True
            self.stage.repaint()
        elif not handle_key(self, event):
            event.ignore()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """A MIDI file may be let go here."""
        if _dropped(event) is not None:
            self.dropping = True
            event.acceptProposedAction()
            self.viewport().update()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:  # noqa: N802
        """It was taken elsewhere."""
        self.dropping = False
        self.viewport().update()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Tell the shell which file it was."""
        self.dropping = False
        self.viewport().update()
        path = _dropped(event)
        if path is not None:
            event.acceptProposedAction()
            self.file_dropped.emit(path)


def _dropped(event: QDropEvent) -> Path | None:
    """The one MIDI file that is dragged."""
    files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    return Path(files[0]) if len(files) == 1 and files[0].lower().endswith(MIDI) else None
