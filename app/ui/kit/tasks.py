"""Asynchronous work that views start: kept, told when it fails, cancelled at the end; and coalesced repaints."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, QTimer

from app.desktop.troubles import Place, Troubles

Work = Coroutine[Any, Any, object]


class Tasks:
    """Tasks of the window; none outlives it."""

    def __init__(self, troubles: Troubles) -> None:
        self._troubles = troubles
        self._tasks: set[asyncio.Task[object]] = set()

    def start(self, work: Work, place: Place) -> asyncio.Task[object]:
        """Run work on the event loop; what goes wrong is told at `place`."""
        task = asyncio.get_event_loop().create_task(self._told(work, place))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Cancel all tasks and wait for their ends."""
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _told(self, work: Work, place: Place) -> object:
        try:
            return await work
        except Exception as error:
            self._troubles.tell(error, place)
            return None


def slot(tasks: Tasks, make: Callable[[], Work], place: Place) -> Callable[..., None]:
    """A slot for a signal with any arguments, which are ignored, that starts work."""

    def start(*_: object) -> None:
        tasks.start(make(), place)

    return start


class Coalesced(QObject):
    """Many calls of `ask` become one call of `act` after `interval` milliseconds."""

    def __init__(self, interval: int, act: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval)
        self._timer.timeout.connect(act)

    def ask(self) -> None:
        """Let `act` happen soon."""
        if not self._timer.isActive():
            self._timer.start()

    def drop(self) -> None:
        """Let it not happen."""
        self._timer.stop()
