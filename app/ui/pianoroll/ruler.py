"""Above the notes: names of chords, bars of the song, and the playhead's head."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from agent.song.time import PPQ
from app.desktop.roll.chords import ChordName
from app.ui.kit.canvas.painting import fill_all
from app.ui.kit.canvas.pointing import spot_of
from app.ui.pianoroll.beside import Beside
from app.ui.pianoroll.gestures.seek import Seek
from app.ui.pianoroll.look import LEFT, Look
from app.ui.pianoroll.marks import draw_playhead
from app.ui.pianoroll.measures import CHORD_HEIGHT, TOP_HEIGHT
from app.ui.pianoroll.stage import Stage
from app.words import tr

_LABEL_GAP = 40
_LEAST_CHORD = 14
_INSET = 4


class Ruler(Beside):
    """A press or a drag moves the playhead."""

    def __init__(self, stage: Stage, look: Callable[[], Look], parent: QWidget) -> None:
        super().__init__(stage, look, parent)
        self._gesture: Seek | None = None
        self.chords: tuple[ChordName, ...] = ()
        self.say("roll-ruler", tr("Bars of the piano roll"), tr("Drag to move the playhead"))

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return self._gesture is not None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only what has to be painted again."""
        look, window = self._look(), event.rect()
        painter = QPainter(self)
        painter.fillRect(window, look.panel)
        if self._stage.clip is not None:
            if self._stage.settings.value.chords:
                self._paint_chords(painter, window, look)
            self._paint_bars(painter, window, look)
            position = self._stage.opened.playback.position() - self._stage.clip.start
            if 0 <= position <= self._stage.clip.duration:
                draw_playhead(painter, round(self._stage.axis.x(position)), TOP_HEIGHT, look.t1)
        painter.fillRect(window.left(), TOP_HEIGHT - 1, window.width(), 1, look.line2)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move the playhead here."""
        if event.button() == Qt.MouseButton.LeftButton and self._stage.clip is not None:
            self._gesture = Seek(self._stage)
            self._gesture.move(spot_of(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Go on with the drag."""
        if self._gesture is not None:
            self._gesture.move(spot_of(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End the drag."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.release(spot_of(event))

    def cancel(self) -> bool:
        """End a drag without its effect; whether there was one."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
        return gesture is not None

    def _paint_bars(self, painter: QPainter, window: QRect, look: Look) -> None:
        stage, axis, clip = self._stage, self._stage.axis, self._stage.clip
        assert clip is not None
        painter.setFont(look.ruler_font)
        marks: list[QRect] = []
        tall = {"bar": 12, "beat": 5, "step": 3}
        for line in stage.lines(window.left() - _LABEL_GAP, window.right()):
            x = round(axis.x(line.at - clip.start))
            height = tall[line.weight]
            marks.append(QRect(x, TOP_HEIGHT - height - 1, 1, height))
            if line.bar is not None and line.at < clip.end and (line.bar - 1) % self._every(line.at) == 0:
                painter.setPen(look.t3)
                place = QRect(x + _INSET, CHORD_HEIGHT, _LABEL_GAP, TOP_HEIGHT - CHORD_HEIGHT - 3)
                painter.drawText(place, LEFT, str(line.bar))
        fill_all(painter, marks, look.line3)

    def _every(self, at: int) -> int:
        """How many bars there are from one number to the next, a power of two."""
        width = self._stage.bars.meter_at(at).bar_length / PPQ * self._stage.axis.per_beat
        every = 1
        while width * every < _LABEL_GAP:
            every *= 2
        return every

    def _paint_chords(self, painter: QPainter, window: QRect, look: Look) -> None:
        axis, clip = self._stage.axis, self._stage.clip
        assert clip is not None
        painter.setFont(look.strong_font)
        for chord in self.chords:
            left = round(axis.x(max(clip.start, chord.start) - clip.start))
            right = round(axis.x(min(clip.end, chord.end) - clip.start))
            if right < window.left() or left > window.right() or right - left < _LEAST_CHORD:
                continue
            painter.fillRect(left, 2, 1, CHORD_HEIGHT - 4, look.line3)
            # The name of a chord that begins out of sight is written where it can be read.
            at = max(left, 0) + _INSET
            room = right - at - 2
            text = look.short(look.strong_font, chord.name, room) if room > 8 else ""
            if text and text != "…":
                painter.setPen(look.t2)
                painter.drawText(QRect(at, 0, room, CHORD_HEIGHT), LEFT, text)
