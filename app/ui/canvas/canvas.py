"""A scroll area that paints a stretch of time in layers, and hands pointer and keys to tools and commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea

from app.ui.canvas.accessibility import describe
from app.ui.canvas.layer import Layer, paint_layers
from app.ui.canvas.playhead import out_of_page
from app.ui.canvas.side import Side
from app.ui.canvas.time_axis import TimeAxis
from app.ui.canvas.tool import Pointer, show_hover
from app.ui.canvas.viewport import EdgeScroll, Viewport
from app.ui.kit.context import Kit
from app.ui.kit.style import draw_focus
from app.ui.kit.tasks import Coalesced
from app.ui.kit.tokens import Tokens
from app.ui.kit.widgets.scrolling import name_scroll_bars

L = TypeVar("L")
_HEAD_ROOM = 8
"""Pixels on each side of the playhead that its head in a ruler needs."""


class Canvas(QAbstractScrollArea, Generic[L]):
    """Paints `layers` over each other and hands the pointer to a tool; `time_sides` beside it scroll along in time, and
    `row_sides` with the rows.

    `make_look` looks colours and fonts up for a theme and a screen. A view says how its sides are laid, what a key
    does, and what assistive programs are told. `close_view` ends the timers.
    """

    def __init__(
        self, axis: TimeAxis, kit: Kit, name: str, make_look: Callable[[Tokens, float], L], pointer: Pointer[Any]
    ) -> None:
        super().__init__()
        self._axis = axis
        self._kit = kit
        self._make_look = make_look
        self._made: tuple[float, L] | None = None
        self._playhead = 0
        self.layers: Sequence[Layer[L]] = ()
        self.time_sides: Sequence[Side[L]] = ()
        self.row_sides: Sequence[Side[L]] = ()
        self.pointer = pointer
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        name_scroll_bars(self)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.navigator = Viewport(self, axis, self.repaint_time, self.repaint_all)
        self._edges = EdgeScroll(self, pointer.move)
        self._refine = Coalesced(0, self.viewport().update, self)
        self._settle = Coalesced(0, self._settled, self, kit.turns)
        kit.theme.changed.connect(self._themed)

    # --- what a view says

    def place(self) -> None:
        """Lay the sides around the viewport."""

    def words(self) -> str:
        """What assistive programs are told is shown, or where the keyboard is."""
        return ""

    def focus_inside(self) -> bool:
        """Whether what the keyboard is at is painted with a ring, so that the view needs none."""
        return False

    def command(self, _event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does here; None where it means nothing, and the window may have it."""
        return None

    # --- looks

    def look(self) -> L:
        """Colours and fonts for this theme and this screen."""
        ratio = self.viewport().devicePixelRatioF()
        if self._made is None or self._made[0] != ratio:
            self._made = ratio, self._make_look(self._kit.theme.tokens, ratio)
        return self._made[1]

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Another font means other sizes of texts."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_settle"):
            self._themed()

    def _themed(self) -> None:
        self._made = None
        self.repaint_all()

    # --- painting

    def repaint_time(self) -> None:
        """Paint what changes with time and with the selection again, and once for all look at range and words."""
        self.viewport().update()
        for side in self.time_sides:
            side.update()
        self._settle.ask()

    def repaint_all(self) -> None:
        """The same, and the sides with the rows."""
        self.repaint_time()
        for side in self.row_sides:
            side.update()

    def move_playhead(self, at: float, *, follow: bool) -> None:
        """Paint the strips of the playhead's old and new place, and nothing between them; turn the page to it."""
        x = round(self._axis.x(at))
        if x != self._playhead:
            for place in (self._playhead, x):
                self.viewport().update(QRect(place - 1, 0, 3, self.viewport().height()))
                for side in self.time_sides:
                    side.update(QRect(place - _HEAD_ROOM, 0, 2 * _HEAD_ROOM + 1, side.height()))
            self._playhead = x
        if follow and out_of_page(x, self.navigator.width):
            self.navigator.scroll_to(at)
            self._playhead = round(self._axis.x(at))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Only what has to be painted again."""
        painter = QPainter(self.viewport())
        if not paint_layers(painter, event.rect(), self.layers, self.look()):
            self._refine.ask()
        if self.hasFocus() and not self.focus_inside():
            draw_focus(painter, QRect(self.viewport().rect()).toRectF(), self._kit.theme.tokens)
        painter.end()

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        """Lay the sides around the viewport."""
        self.place()
        self.navigator.sync()

    def showEvent(self, _event: QShowEvent) -> None:  # noqa: N802
        """What came meanwhile is brought into sight now."""
        self._settle.ask()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Follow the scroll bars."""
        self._axis.left, self._axis.top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        self.viewport().update()
        for side in (*(self.time_sides if dx else ()), *(self.row_sides if dy else ())):
            side.update()

    def settled(self) -> None:
        """Called once for all that was painted again, before range and words are looked at."""

    def _settled(self) -> None:
        self.settled()
        self.navigator.sync()
        describe(self, self.words())

    # --- pointer and keys

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way, here or beside."""
        return any(pointer.dragging for pointer in self._pointers())

    def cancel_drag(self) -> bool:
        """End any drag without its effect; whether there was one."""
        self._edges.stop()
        ended = [pointer.cancel() for pointer in self._pointers()]
        return True in ended

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin what the tool does."""
        self.pointer.press(event)
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """The same, for the second press."""
        self.pointer.press(event, double=True)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Drag, or tell what lies under the pointer."""
        show_hover(self.viewport(), self.pointer.move(event))
        self._edges.follow(event, dragging=self.pointer.dragging)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End a drag."""
        self._edges.stop()
        self.pointer.release(event)
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll; with Ctrl zoom around the pointer, with Shift scroll in time."""
        delta, keys = event.angleDelta(), event.modifiers()
        if keys & Qt.KeyboardModifier.ControlModifier:
            x = self.viewport().mapFromGlobal(event.globalPosition()).x()
            self.navigator.turn_wheel(delta.y() or delta.x(), x)
        elif keys & Qt.KeyboardModifier.ShiftModifier and delta.y():
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - delta.y())
        else:
            super().wheelEvent(event)
            return
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Keys that mean something here do not reach the window's shortcuts."""
        over = event.type() == QEvent.Type.ShortcutOverride
        if over and isinstance(event, QKeyEvent) and self.command(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Do what a key says; the arrows scroll where they mean nothing else."""
        act = self.command(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The focus ring comes."""
        super().focusInEvent(event)
        self.repaint_all()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """The focus ring goes."""
        super().focusOutEvent(event)
        self.viewport().update()

    def close_view(self) -> None:
        """End timers and stop listening; the view shows nothing new afterwards."""
        self._kit.theme.changed.disconnect(self._themed)
        self._edges.stop()
        self._settle.drop()
        self._refine.drop()
        for side in (*self.time_sides, *self.row_sides):
            side.refine.drop()

    def _pointers(self) -> list[Pointer[Any]]:
        return [self.pointer, *(side.pointer for side in (*self.time_sides, *self.row_sides))]
