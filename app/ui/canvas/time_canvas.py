"""A canvas that shows a stretch of time: with zoom and scroll, a playhead, and what lies beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.ui.canvas.canvas import Canvas
from app.ui.canvas.playhead import out_of_page
from app.ui.canvas.time_axis import TimeAxis
from app.ui.canvas.tool import Pointer
from app.ui.canvas.viewport import EdgeScroll, Viewport
from app.ui.kit.context import Kit
from app.ui.kit.tokens import Tokens

L = TypeVar("L")
_HEAD_ROOM = 8
"""Pixels on each side of the playhead that its head in a ruler needs."""


class TimeCanvas(Canvas[L]):
    """A canvas over a stretch of time; `make_look` as for `Canvas`. The side panes `time_sides` scroll along in time,
    `row_sides` with the rows; a subclass lays them out in `place`."""

    def __init__(
        self, axis: TimeAxis, kit: Kit, name: str, make_look: Callable[[Tokens, float], L], pointer: Pointer[Any]
    ) -> None:
        super().__init__(kit, name, make_look, pointer)
        self._axis = axis
        self._playhead = 0
        self.time_sides: Sequence[QWidget] = ()
        self.row_sides: Sequence[QWidget] = ()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.navigator = Viewport(self, axis, self.repaint_time, self.repaint_all)
        self._edges = EdgeScroll(self, self.drag_on)

    def place(self) -> None:
        """Lay the side panes around the viewport."""

    def repaint_time(self) -> None:
        """Repaint the canvas and the side panes that scroll in time."""
        super().repaint_all()
        for side in self.time_sides:
            side.update()

    def repaint_all(self) -> None:
        """Repaint everything, and soon, once for all changes, update scroll range and accessible description."""
        self.repaint_time()
        for side in self.row_sides:
            side.update()

    def settled(self) -> None:
        """Update the range of the scroll bars."""
        self.navigator.sync()

    def move_playhead(self, at: float, *, follow: bool) -> None:
        """Move the playhead to tick `at`, repainting only its old and new place; with `follow` turn the page to it."""
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

    def resizeEvent(self, _event: QResizeEvent) -> None:  # noqa: N802
        """Lay the side panes around the viewport."""
        self.place()
        self.navigator.sync()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Take over the scroll bars' values and repaint."""
        self._axis.left, self._axis.top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        self.viewport().update()
        for side in (*(self.time_sides if dx else ()), *(self.row_sides if dy else ())):
            side.update()

    def drag_on(self, event: QMouseEvent) -> None:
        """Continue the drag while the view scrolls under a resting pointer."""
        self.pointer.move(event)

    def cancel_drag(self) -> bool:
        """Cancel any drag without effect; returns whether there was one."""
        self._edges.stop()
        return super().cancel_drag()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Continue a drag, scrolling if the pointer is outside the view, or show what is under the pointer."""
        super().mouseMoveEvent(event)
        self._edges.follow(event, dragging=self.pointer.dragging)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Finish the drag."""
        self._edges.stop()
        super().mouseReleaseEvent(event)

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

    def close_view(self) -> None:
        """End timers and subscriptions; the view is not updated afterwards."""
        super().close_view()
        self._edges.stop()
