"""A request to stop, that long work and pauses look at, and a request to rest between two rows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class WorkCancelled(Exception):
    """Work was broken off because someone asked to stop."""


class Cancellation:
    """Set once; safe to read from any thread, to be set on the loop's thread."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._held = False
        self._listeners: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """Ask to stop."""
        self._event.set()
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a function called once, as soon as someone asks, or now; the one returned takes it away again."""
        if self.requested():
            listener()
        else:
            self._listeners.append(listener)

        def silence() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return silence

    def requested(self) -> bool:
        """Whether someone asked."""
        return self._event.is_set()

    def hold(self) -> None:
        """Ask to rest: what is under way comes to its end, and nothing new begins."""
        self._held = True

    def held(self) -> bool:
        """Whether someone asked to rest."""
        return self._held

    async def wait(self) -> None:
        """Wait until someone asks."""
        await self._event.wait()

    async def pause(self, seconds: float) -> bool:
        """Wait so long, or until someone asks to stop; tells whether someone did."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def race(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of the work; as soon as someone asks to stop, the work is cancelled and `WorkCancelled` raised."""
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
