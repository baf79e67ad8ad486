"""A queue of refreshes, one to a turn of the event loop."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

_LONG = 0.008
"""Seconds from which on a refresh is followed by a pause."""
_PAUSE_MS = 8
"""A turn of a task takes two timers of the loop, and both must come in between."""


class RefreshQueue(QObject):
    """Runs refreshes of views one to a turn of the event loop.

    Many views follow one change. If all did so in one turn, nothing else could happen until all were laid out and
    painted; here layout and painting of one are done before the next begins, and after a long one tasks have a turn."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[Callable[[], None], None] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)

    def add(self, work: Callable[[], None]) -> None:
        """Queue `work`; one that is queued already is not added again."""
        self._waiting.setdefault(work)
        if not self._timer.isActive():
            self._timer.start(0)

    @property
    def busy(self) -> bool:
        """Whether anything is queued."""
        return bool(self._waiting)

    def waits(self, work: Callable[[], None]) -> bool:
        """Whether this work is queued."""
        return work in self._waiting

    def drop(self, work: Callable[[], None]) -> None:
        """Remove this work from the queue."""
        self._waiting.pop(work, None)

    def _next(self) -> None:
        if not self._waiting:
            return
        work = next(iter(self._waiting))
        del self._waiting[work]
        if self._waiting:
            self._timer.start(0)
        began = perf_counter()
        work()
        if self._waiting and perf_counter() - began > _LONG:
            self._timer.start(_PAUSE_MS)
