"""Scrolling while a drag is held beyond an edge of the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QMouseEvent

if TYPE_CHECKING:
    from app.ui.pianoroll.area import RollArea

_FRAME_MS = 30
_SHARE = 0.25
_FASTEST = 40


class EdgeScroll(QObject):
    """A timer that only runs while a drag is held outside; the farther out, the faster."""

    def __init__(self, view: RollArea) -> None:
        super().__init__(view)
        self._view = view
        self._event: QMouseEvent | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self.tick)

    def follow(self, event: QMouseEvent, *, dragging: bool) -> None:
        """The pointer is here now."""
        place = event.position().toPoint()
        if not dragging or self._view.viewport().rect().contains(place):
            self.stop()
            return
        self._event = event.clone()
        if not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """Stay here."""
        self._timer.stop()
        self._event = None

    def tick(self) -> None:
        """Scroll a little, and let the drag go on."""
        event, view = self._event, self._view
        if event is None:
            return
        place, room = event.position(), view.viewport().rect()
        across, down = view.horizontalScrollBar(), view.verticalScrollBar()
        before = across.value(), down.value()
        across.setValue(across.value() + _pixels(place.x(), room.width()))
        down.setValue(down.value() + _pixels(place.y(), room.height()))
        if (across.value(), down.value()) != before:
            view.drag_on(event)


def _pixels(at: float, room: int) -> int:
    beyond = at if at < 0 else max(0.0, at - room)
    return max(-_FASTEST, min(_FASTEST, round(beyond * _SHARE)))
