"""A request to stop, that long work and pauses look at, and a request to rest between two rows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class WorkCancelled(Exception):
    """Work was cancelled by request."""


class Cancellation:
    """A request to stop or to pause. Its state may be read from any thread; only the event loop's thread may set it."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.requested = self._event.is_set
        """Whether a stop was requested."""
        self.wait = self._event.wait
        """Waits until a stop is requested."""
        self._held = False
        self._listeners: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """Request to stop; cannot be undone."""
        self._event.set()
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call a function once when a stop is requested, at once if it has been; the returned function unsubscribes."""
        if self.requested():
            listener()
        else:
            self._listeners.append(listener)

        def silence() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return silence

    def hold(self) -> None:
        """Request to pause: what is under way is finished, and nothing new begins."""
        self._held = True

    def held(self) -> bool:
        """Whether a pause was requested."""
        return self._held

    async def pause(self, seconds: float) -> bool:
        """Wait `seconds`, or until a stop is requested; returns whether it was."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def race(self, work: Coroutine[Any, Any, T]) -> T:
        """Await the work and return its result; when a stop is requested, the work is cancelled and `WorkCancelled`
        raised."""
        task, asked = asyncio.ensure_future(work), asyncio.ensure_future(self._event.wait())
        try:
            await asyncio.wait((task, asked), return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise WorkCancelled
            return task.result()
        finally:
            task.cancel()
            asked.cancel()
            await asyncio.gather(task, asked, return_exceptions=True)
