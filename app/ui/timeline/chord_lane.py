"""The chord lane under the pointer and the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from app.i18n import tr
from app.ui.kit.accessibility.accessible_parts import AccessibleParts
from app.ui.kit.accessibility.part import AccessiblePart
from app.ui.kit.widgets.labels import plain_tip
from app.ui.timeline.chord_actions import ChordActions, ChordLine
from app.ui.timeline.chord_painter import ChordPainter
from app.ui.timeline.chord_reading import ChordReading, ChordScene
from app.ui.timeline.measures import CHORD_HEIGHT
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look
from app.viewmodels.timeline.chord_edits import read_typed
from app.viewmodels.timeline.chords import ChordGhost, LaneChord, at_tick, ghost_in_words, span_in_words, where_in_words

LEAST_LINE = 120
MOST_LINE = 320
_Key = Qt.Key
_STEPS = {_Key.Key_Left.value: -1, _Key.Key_Right.value: 1}
_WRITES = (_Key.Key_Return, _Key.Key_Enter, _Key.Key_F2)
_DELETES = (_Key.Key_Delete, _Key.Key_Backspace)
_ENDS = (_Key.Key_Home, _Key.Key_End)


class ChordLane(QWidget):
    """The chord lane: a press chooses a span, a double click opens a line to type chords. `above` is the widget over
    which errors of typing are shown; `read` is called when chords have been detected."""

    def __init__(
        self, stage: TimelineContext, look: Callable[[], Look], above: QWidget, read: Callable[[], None]
    ) -> None:
        super().__init__(above)
        self.stage = stage
        self.above = above
        self._look = look
        self._painter = ChordPainter(stage)
        self.reading = ChordReading(stage, read)
        self.chord_actions = ChordActions(stage, self.reading)
        self.setAccessibleName(tr("Chords"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.accessibility = AccessibleParts(self, self._parts)

    @property
    def scene(self) -> ChordScene:
        """The spans and proposed chords that are shown now."""
        return self.reading.scene

    def write(self) -> ChordLine | None:
        """Open a line over the current span, filled with its chord; None without a current span."""
        now = self.chord_actions.now
        if now is None:
            return None
        song, place = self.stage.song, self._painter.place(now)
        self.stage.refuse("")
        width = min(MOST_LINE, max(LEAST_LINE, place.width() + 2))
        left = max(0, min(place.x() - 1, self.width() - width))
        return ChordLine(
            self, self.above, QRect(left, 0, width, CHORD_HEIGHT), now.symbol,
            where_in_words(song, now.start, now.end), lambda text: read_typed(text, song.key),
            lambda typed: self.chord_actions.keep(now, typed), lambda by: self._write_beside(now, by),
        )

    def menu(self) -> QMenu | None:
        """The context menu of the current span; None without one."""
        return self.chord_actions.menu(self.write, self)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the part that needs it."""
        tones, fonts = self._look()
        painter = QPainter(self)
        ring = self.chord_actions.now if self.hasFocus() else None
        self._painter.paint(painter, event.rect(), self.rect(), self.scene, ring, tones, fonts)
        painter.end()

    def describe(self) -> None:
        """Update the accessible description: the span at the keyboard cursor."""
        self.accessibility.outdated()
        words = self.chord_actions.words()
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Choose the span; a press on a proposed chord selects its row in the plan."""
        at = self._tick(event.position().x())
        self.stage.refuse("")
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        ghost = self._ghost_at(at)
        if ghost is not None and ghost.cause is not None and event.button() == Qt.MouseButton.LeftButton:
            self.stage.opened.focus.step.set(ghost.cause.step)
        self.chord_actions.take(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Accept the event, as the press was handled here."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Open a line to type chords over the span."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.chord_actions.take(self._tick(event.position().x()))
            self.write()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Highlight the row that proposes the chord under the pointer."""
        ghost = self._ghost_at(self._tick(event.position().x()))
        self.stage.hover(None if ghost is None else ghost.cause)

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802
        """End the highlight of a row."""
        self.stage.hover(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Open the context menu of the span."""
        place = event.globalPos()
        if event.reason() != QContextMenuEvent.Reason.Keyboard:
            self.chord_actions.take(self._tick(event.pos().x()))
        elif (now := self.chord_actions.now) is not None:
            place = self.mapToGlobal(self._painter.place(now).intersected(self.rect()).bottomLeft())
        menu = self.menu()
        if menu is not None:
            menu.popup(place)

    def event(self, event: QEvent) -> bool:
        """Claim the lane's keys before the window's shortcuts; show tooltips of chords."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if self._takes(event):
                event.accept()
                return True
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(event.pos())), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Left and right go to the neighbouring span, Home and End to the first and last; Enter opens a line to type,
        Delete removes the chord."""
        if not self._takes(event):
            event.ignore()
            return
        key = event.key()
        self.stage.refuse("")
        if key in _STEPS:
            self.chord_actions.go(_STEPS[key])
        elif key in _ENDS:
            self.chord_actions.go_to_end(last=key == _Key.Key_End)
        elif key in _WRITES:
            if self.chord_actions.now is None:
                self.chord_actions.go(0)
            self.write()
        elif key in _DELETES:
            self.chord_actions.delete()
        else:
            self.chord_actions.take(None)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Paint the focus ring; a focus by keyboard makes the span at the playhead current if none is."""
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and self.chord_actions.now is None:
            self.chord_actions.go(0)
        self.stage.repaint()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Remove the focus ring."""
        super().focusOutEvent(event)
        self.stage.repaint()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to the lanes, which scroll and zoom."""
        event.ignore()

    def _write_beside(self, span: LaneChord, by: int) -> None:
        """The line over the stretch behind or before one that was just written."""
        if self.chord_actions.take_beside(span, by):
            self.write()

    def _takes(self, event: QKeyEvent) -> bool:
        """Whether a key says something here."""
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if keys != Qt.KeyboardModifier.NoModifier:
            return False
        if event.key() == _Key.Key_Escape:
            return self.chord_actions.now is not None
        return event.key() in _STEPS or event.key() in (*_WRITES, *_DELETES, *_ENDS)

    def _parts(self) -> tuple[AccessiblePart, ...]:
        """The chords in sight as assistive programs find them."""
        song, scene, now = self.stage.song, self.scene, self.chord_actions.now
        seen = self.rect()
        parts = [
            AccessiblePart(f"chord {span.start}", "item", span_in_words(song, span), place, on=span == now,
                           press=self._pressed(span.start))
            for span in scene.spans if span.symbol and (place := self._painter.place(span)).intersects(seen)
        ]
        parts += [
            AccessiblePart(f"ghost {ghost.start}", "item", ghost_in_words(song, ghost), place)
            for ghost in scene.ghosts if (place := self._painter.place(ghost)).intersects(seen)
        ]
        return tuple(parts)

    def _pressed(self, at: int) -> Callable[[], None]:
        def press() -> None:
            self.chord_actions.take(at)
            self.write()

        return press

    def _tip(self, place: QPoint) -> str:
        at = self._tick(place.x())
        ghost, span = self._ghost_at(at), at_tick(self.scene.spans, at)
        if ghost is not None:
            return ghost_in_words(self.stage.song, ghost)
        if span is None or not span.symbol:
            return tr("Double click to write a chord")
        return tr("{chord}. Double click to write another", chord=span_in_words(self.stage.song, span))

    def _ghost_at(self, at: int) -> ChordGhost | None:
        return next((one for one in self.scene.ghosts if one.start <= at < one.end), None)

    def _tick(self, x: float) -> int:
        return max(0, int(self.stage.axis.at(x)))
