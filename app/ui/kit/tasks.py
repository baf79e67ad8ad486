"""Asynchronous work that views start: its errors are reported, and it is cancelled at the end; and coalesced calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, QTimer

from app.ui.kit.smoothness.refresh_queue import RefreshQueue
from app.viewmodels.texts.troubles import ErrorReporter, Place

Work = Coroutine[Any, Any, object]


class Tasks:
    """The window's asynchronous tasks, all of which `close` cancels."""

    def __init__(self, troubles: ErrorReporter) -> None:
        self._troubles = troubles
        self._tasks: set[asyncio.Task[object]] = set()

    @property
    def running(self) -> int:
        """Number of tasks that have not ended."""
        return len(self._tasks)

    def start(self, work: Work, place: Place) -> asyncio.Task[object]:
        """Run work on the event loop; its errors are reported at `place`."""
        task = asyncio.get_event_loop().create_task(self._told(work, place))
        self._tasks.add(task)

        def ended(task: asyncio.Task[object]) -> None:
            self._tasks.discard(task)
            # A task that was cancelled before it began never touched the work.
            work.close()

        task.add_done_callback(ended)
        return task

    async def close(self) -> None:
        """Cancel all tasks, also those started meanwhile, and wait until they have ended."""
        own = asyncio.current_task()
        while tasks := [task for task in self._tasks if task is not own]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await asyncio.sleep(0)

    async def _told(self, work: Work, place: Place) -> object:
        try:
            return await work
        except Exception as error:
            self._troubles.tell(error, place)
            return None


def slot(tasks: Tasks, make: Callable[[], Work], place: Place) -> Callable[..., None]:
    """A slot for signals with any arguments (they are ignored) that starts the work of `make()`; its errors are
    reported at `place`."""

    def start(*_: object) -> None:
        tasks.start(make(), place)

    return start


class Coalesced(QObject):
    """Turns many calls of `ask` into one call of `act` after `interval` milliseconds; with `turns` it is queued
    there."""

    def __init__(
        self, interval: int, act: Callable[[], None], parent: QObject, turns: RefreshQueue | None = None
    ) -> None:
        super().__init__(parent)
        self._act = act
        self._turns = turns
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval)
        self._timer.timeout.connect(self._due)

    def ask(self) -> None:
        """Request a call of `act`."""
        if not self._timer.isActive():
            self._timer.start()

    def now(self) -> None:
        """Call `act` at once if a call is pending."""
        if self._asked():
            self.drop()
            self._act()

    def drop(self) -> None:
        """Drop a pending call."""
        self._timer.stop()
        if self._turns is not None:
            self._turns.drop(self._act)

    def _asked(self) -> bool:
        return self._timer.isActive() or (self._turns is not None and self._turns.waits(self._act))

    def _due(self) -> None:
        if self._turns is None:
            self._act()
        else:
            self._turns.add(self._act)
