"""A MIDI file that is held over the timeline: the bar at which its tracks would be added."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainter, QPen

from agent.song.time import Ticks
from app.i18n import tr
from app.ui.canvas.layer import Layer
from app.ui.timeline.fonts import CENTRE
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look

MIDI = (".mid", ".midi")


class FileDrop(Layer[Look]):
    """A MIDI file dragged over the lanes; `active` while it is."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage
        self.active = False
        self.at: Ticks | None = None
        """The bar at which its tracks would be added."""

    def enter(self, event: QDragEnterEvent) -> None:
        """Accept a dragged MIDI file; in an empty song the event is left to the window."""
        if not self._stage.song.tracks:
            event.ignore()
        elif _dropped(event) is not None:
            self.active = True
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.move(event)

    def move(self, event: QDragMoveEvent) -> None:
        """Show the bar at which the file's tracks would be added."""
        if not self.active:
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        bars = self._stage.song.bar_map
        self.at = bars.start_of(self._stage.bar_at(event.position().x()))
        self._stage.repaint()

    def leave(self) -> None:
        """Remove the preview: the file was dragged out of the lanes."""
        self.active, self.at = False, None
        self._stage.repaint()

    def drop(self, event: QDropEvent) -> None:
        """Add the dropped file's tracks at the bar under the pointer."""
        at, path = self.at, _dropped(event)
        self.leave()
        if path is not None and at is not None:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self._stage.bring_in(path, at)

    def paint(self, painter: QPainter, _window: QRect, look: Look) -> None:
        """Paint a frame around the lanes and a line where the tracks would begin."""
        (tones, fonts), whole, song = look, painter.viewport(), self._stage.song
        if not self.active:
            return
        painter.setPen(QPen(tones.you, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(whole.adjusted(1, 1, -1, -1))
        if self.at is None or not song.tracks:
            return
        x = round(self._stage.axis.x(self.at))
        painter.fillRect(x, 0, 2, whole.height(), tones.you)
        words = tr("Drop to add its tracks at bar {bar}", bar=song.bar_map.bar_at(self.at))
        wide = fonts.width(fonts.section, words) + 16
        plate = QRect(min(x + 6, max(0, whole.width() - wide)), whole.height() // 2 - 12, wide, 24)
        painter.fillRect(plate, tones.you_soft)
        painter.setFont(fonts.section)
        painter.setPen(tones.t1)
        painter.drawText(plate, CENTRE, words)


def _dropped(event: QDropEvent) -> Path | None:
    """The one MIDI file that is dragged."""
    files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    return Path(files[0]) if len(files) == 1 and files[0].lower().endswith(MIDI) else None
