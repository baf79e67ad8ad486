"""The reason why a gesture is refused: how long it is told, and that it is said aloud."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from app.ui.timeline.stage import TimelineContext

TOLD_MS = 6000
"""Milliseconds for which the reason of a refusal stays after the drag."""


class Refusals:
    """Removes the reason of a refusal after a while, though not while `dragging()`, and announces it to screen readers;
    `close` ends the timer."""

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
        """On time-out: remove the reason, or wait again while a drag is under way."""
        if self._dragging():
            self._timer.start()
        else:
            self._stage.refuse("")

    def close(self) -> None:
        """End the timer and the subscription."""
        self._silence()
        self._timer.stop()

    def _told(self, reason: str) -> None:
        if not reason:
            self._timer.stop()
            return
        self._timer.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, reason))
