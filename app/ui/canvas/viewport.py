"""What of a canvas is in sight: zoom, scroll, and scrolling while a drag is held beyond an edge."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractScrollArea

from agent.song.time import PPQ
from app.ui.canvas.time_axis import TimeAxis

MARGIN = 24
"""Pixels left free around what is scrolled into view."""
ZOOM_STEP = 1.25
_FINE_ZOOM_STEP = 1.1
_SCROLL_STEP = 40
_FRAME_MS = 30
_SHARE = 0.25
_FASTEST = 40


class Viewport:
    """Zoom and scroll of an area and its axis; `zoomed` is called when the zoom in time has changed, `grown` when the
    height of rows has."""

    def __init__(
        self, area: QAbstractScrollArea, axis: TimeAxis, zoomed: Callable[[], None], grown: Callable[[], None]
    ) -> None:
        self._area = area
        self._axis = axis
        self._zoomed = zoomed
        self._grown = grown
        self._across, self._down = area.horizontalScrollBar(), area.verticalScrollBar()

    @property
    def width(self) -> int:
        """Visible width in pixels."""
        return self._area.viewport().width()

    @property
    def height(self) -> int:
        """Visible height in pixels."""
        return self._area.viewport().height()

    def sync(self) -> None:
        """Fit the scroll bars' ranges to the axis, and the axis to their values."""
        axis, across, down = self._axis, self._across, self._down
        across.setRange(0, max(0, axis.width - self.width))
        across.setPageStep(self.width)
        across.setSingleStep(_SCROLL_STEP)
        down.setRange(0, max(0, axis.height - self.height))
        down.setPageStep(self.height)
        down.setSingleStep(axis.row_height)
        axis.left, axis.top = across.value(), down.value()

    def zoom(self, per_beat: float, x: float) -> None:
        """Set the zoom (pixels per beat) so that what lies at pixel x stays there."""
        axis = self._axis
        if axis.length:
            at = axis.at(x)
            axis.per_beat = axis.zoomed(per_beat)
            self.sync()
            self._across.setValue(round(axis.x(at) + axis.left - x))
            self._zoomed()

    def zoom_by(self, steps: int, x: float) -> None:
        """Zoom in by so many steps (negative: out) around pixel x, or around the middle if x is not visible."""
        self.zoom(self._axis.per_beat * ZOOM_STEP**steps, x if 0 <= x <= self.width else self.width / 2)

    def turn_wheel(self, angle: int, x: float) -> None:
        """Zoom around pixel x by the wheel's angle, in eighths of a degree."""
        self.zoom(self._axis.per_beat * _FINE_ZOOM_STEP ** (2 * angle / 120), x)

    def show(self, start: float, end: float, around: int = MARGIN) -> None:
        """Zoom and scroll so that the ticks from `start` to `end` fill the view, with `around` pixels free on both
        sides."""
        axis = self._axis
        axis.per_beat = axis.zoomed((self.width - 2 * around) / max(1.0, (end - start) / PPQ))
        self.sync()
        self._across.setValue(round(axis.x(start)) + axis.left - around)
        self._zoomed()

    def set_row_height(self, height: int) -> None:
        """Set the height of rows in pixels; the row in the middle stays there."""
        axis = self._axis
        middle = (axis.top + self.height / 2) / axis.row_height
        axis.row_height = height
        self.sync()
        self.centre_row(middle)
        self._grown()

    def centre_row(self, row: float) -> None:
        """Scroll so that a row is in the middle; a fraction is a place between two rows."""
        self._down.setValue(round(row * self._axis.row_height - self.height / 2))

    def page(self, by: int) -> None:
        """Scroll by so many pages to the right; negative is left."""
        self._across.setValue(self._across.value() + by * self._across.pageStep())

    def scroll_to(self, at: float) -> None:
        """Scroll so that a tick is near the left edge."""
        self._across.setValue(round(self._axis.x(at)) + self._axis.left - self.width // 10)

    def reveal(self, start: float, end: float, row: int) -> None:
        """Scroll so that the ticks from `start` to `end` of a row are visible, or as much of them as fits."""
        self.reveal_time(start, end)
        self.reveal_row(row)

    def reveal_time(self, start: float, end: float) -> None:
        """Scroll in time so that the ticks from `start` to `end` are visible, or as much of them as fits."""
        axis = self._axis
        left, right = axis.x(start), axis.x(end)
        if left < 0 or left > self.width - MARGIN:
            self._across.setValue(round(left) + axis.left - self.width // 4)
        elif right > self.width and right - left < self.width:
            self._across.setValue(round(right) + axis.left - self.width + MARGIN)

    def reveal_row(self, row: int) -> None:
        """Scroll vertically so that a row and a little around it are visible."""
        axis, y = self._axis, self._axis.row_top(row)
        if y < 0:
            self._down.setValue(y + axis.top - axis.row_height)
        elif y + axis.row_height > self.height:
            self._down.setValue(y + axis.top - self.height + 2 * axis.row_height)


class EdgeScroll(QObject):
    """Scrolls while a drag is held outside the view, faster the farther out. `drag_on` is called with the last mouse
    event, so that the drag continues though the pointer rests."""

    def __init__(self, area: QAbstractScrollArea, drag_on: Callable[[QMouseEvent], object]) -> None:
        super().__init__(area)
        self._area = area
        self._drag_on = drag_on
        self._event: QMouseEvent | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self.tick)

    def follow(self, event: QMouseEvent, *, dragging: bool) -> None:
        """Take note of the pointer: starts scrolling outside the view while `dragging`, stops inside the view or
        without a drag."""
        if not dragging or self._area.viewport().rect().contains(event.position().toPoint()):
            self.stop()
            return
        self._event = event.clone()
        if not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """Stop scrolling."""
        self._timer.stop()
        self._event = None

    def tick(self) -> None:
        """Scroll one step and continue the drag."""
        event, room = self._event, self._area.viewport().rect()
        if event is None:
            return
        moved = False
        for bar, at, size in (
            (self._area.horizontalScrollBar(), event.position().x(), room.width()),
            (self._area.verticalScrollBar(), event.position().y(), room.height()),
        ):
            before = bar.value()
            bar.setValue(before + _pixels(at, size))
            moved = moved or bar.value() != before
        if moved:
            self._drag_on(event)


def _pixels(at: float, room: int) -> int:
    beyond = at if at < 0 else max(0.0, at - room)
    return max(-_FASTEST, min(_FASTEST, round(beyond * _SHARE)))
