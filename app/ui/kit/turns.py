"""Work that views do soon, one piece to a turn of the event loop."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class RefreshQueue(QObject):
    """A queue of refreshes.

    Many views follow one change. If all did so in one turn, nothing else could happen until all were laid out
    and painted; here the layout and painting that one piece asks for come before the next piece.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[Callable[[], None], None] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    def add(self, work: Callable[[], None]) -> None:
        """Do it when what was added before is done; what waits already is not added again."""
        self._waiting.setdefault(work)
        if not self._timer.isActive():
            self._timer.start()

    @property
    def busy(self) -> bool:
        """Whether anything is still to be done."""
        return bool(self._waiting)

    def waits(self, work: Callable[[], None]) -> bool:
        """Whether it is still to be done."""
        return work in self._waiting

    def drop(self, work: Callable[[], None]) -> None:
        """Do not do it."""
        self._waiting.pop(work, None)

    def _next(self) -> None:
        if not self._waiting:
            return
        work = next(iter(self._waiting))
        del self._waiting[work]
        if self._waiting:
            self._timer.start()
        work()
