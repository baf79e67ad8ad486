"""The column beside the notes: the keys of a piano with their names, or the names of a kit's pieces."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from agent.theory.pitch import in_scale, pitch_name
from app.desktop.roll.drums import piece_name
from app.ui.kit.widgets.labels import plain_tip
from app.ui.pianoroll.beside import Beside
from app.ui.pianoroll.ground import BLACK
from app.ui.pianoroll.look import LEFT, RIGHT, Look
from app.ui.pianoroll.measures import NAME_FROM_ROW
from app.ui.pianoroll.stage import Stage
from app.words import tr

_BLACK_SHARE = 0.62
_INSET = 6


class Keys(Beside):
    """A press lets the pitch be heard, with Shift it selects all notes of it; in step input it puts a note."""

    def __init__(
        self, stage: Stage, look: Callable[[], Look], put: Callable[[int], None], parent: QWidget
    ) -> None:
        super().__init__(stage, look, parent)
        self._put = put
        self._held: int | None = None
        self.say("roll-keys", tr("Keys"), tr("Press to hear a pitch; Shift selects its notes"))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only what has to be painted again."""
        look, axis, window = self._look(), self._stage.axis, event.rect()
        painter = QPainter(self)
        painter.fillRect(window, look.panel)
        first = max(0, (window.top() + axis.top) // axis.row_height)
        last = min(axis.rows - 1, (window.bottom() + axis.top) // axis.row_height)
        for row in range(first, last + 1):
            place = QRect(0, row * axis.row_height - axis.top, self.width() - 1, axis.row_height)
            if axis.lanes:
                self._piece(painter, axis.pitch_of(row), place, look)
            else:
                self._key(painter, axis.pitch_of(row), place, look)
        painter.fillRect(self.width() - 1, window.top(), 1, window.height(), look.line2)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Hear the pitch, or select or put notes of it."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        stage = self._stage
        self._held = pitch = stage.axis.pitch(event.position().y())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            stage.selected.set(frozenset(note.id for note in stage.index.notes if note.pitch == pitch))
            stage.repaint()
        elif stage.settings.value.stepping and stage.editable:
            self._put(pitch)
        else:
            stage.audition(pitch)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Hear each pitch that is passed."""
        pitch = self._stage.axis.pitch(event.position().y())
        if self._held is not None and pitch != self._held:
            self._held = pitch
            if not self._stage.settings.value.stepping:
                self._stage.audition(pitch)
            self.update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """No key is held."""
        self._held = None
        self.update()

    def event(self, event: QEvent) -> bool:
        """The name of what lies under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            pitch = self._stage.axis.pitch(event.pos().y())
            name = piece_name(pitch) if self._stage.axis.lanes else pitch_name(pitch, self._stage.key)
            QToolTip.showText(event.globalPos(), plain_tip(name), self)
            return True
        return super().event(event)

    def _key(self, painter: QPainter, pitch: int, place: QRect, look: Look) -> None:
        held = pitch == self._held
        black = pitch % 12 in BLACK
        painter.fillRect(place, look.you if held and not black else look.white_key)
        if pitch % 12 in (0, 5):
            painter.fillRect(place.left(), place.bottom(), place.width(), 1, look.line3)
        if black:
            part = QRect(place.left(), place.top(), round(place.width() * _BLACK_SHARE), place.height())
            painter.fillRect(part, look.you if held else look.black_key)
            painter.fillRect(part.right(), place.center().y(), place.width() - part.width(), 1, look.line3)
        self._label(painter, pitch, place, look, black=black)

    def _label(self, painter: QPainter, pitch: int, place: QRect, look: Look, *, black: bool) -> None:
        """C always has its name; others where there is room, those of a lit scale stronger."""
        stage = self._stage
        if pitch % 12 and (place.height() < NAME_FROM_ROW or black):
            return
        lit = stage.settings.value.light_scale and in_scale(stage.key, pitch)
        painter.setFont(look.note_font if lit or pitch % 12 == 0 else look.ruler_font)
        painter.setPen(look.on_white)
        painter.drawText(place.adjusted(0, -1, -_INSET, 0), RIGHT, pitch_name(pitch, stage.key))

    def _piece(self, painter: QPainter, pitch: int, place: QRect, look: Look) -> None:
        painter.fillRect(place, look.you_soft if pitch == self._held else look.panel)
        painter.fillRect(place.left(), place.bottom(), place.width(), 1, look.line)
        used = pitch in self._stage.index.pitches
        painter.setFont(look.label_font)
        painter.setPen(look.t1 if used else look.t3)
        room = place.adjusted(_INSET + 2, 0, -4, 0)
        painter.drawText(room, LEFT, look.short(look.label_font, piece_name(pitch), room.width()))
