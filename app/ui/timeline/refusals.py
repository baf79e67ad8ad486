"""The reason why a gesture is refused: how long it is told, and that it is said aloud."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from app.ui.timeline.stage import TimelineContext

TOLD_MS = 6000
"""So long a reason stays after the drag that it was told of."""


class Refusals:
    """Takes a reason back after a while, though not during a drag; `close` ends the timer."""

    def __init__(self, stage: TimelineContext, view: QWidget, dragging: Callable[[], bool]) -> None:
        self._stage = stage
        self._view = view
        self._dragging = dragging
        self._timer = QTimer(view)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TOLD_MS)
        self._timer.timeout.connect(self.rest)
        self._silence = stage.opened.focus.refused.changed.listen(self._told)

    def rest(self) -> None:
        """The time is over."""
        if self._dragging():
            self._timer.start()
        else:
            self._stage.refuse("")

    def close(self) -> None:
        """Tell nothing more."""
        self._silence()
        self._timer.stop()

    def _told(self, reason: str) -> None:
        if not reason:
            self._timer.stop()
            return
        self._timer.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, reason))
