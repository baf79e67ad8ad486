"""Waiting for what is stored: by this program at once, by others within a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Generic, TypeVar

from agent.session.cancellation import Cancellation
from app.studio.observable import Observable
from app.studio.store import Store

T = TypeVar("T")
LOOK_EVERY = 1.0
"""Seconds between checks whether another program has committed."""


class CommitWatch(Generic[T]):
    """A context manager that notices values of `changed` and, every `every` seconds, commits of other programs."""

    def __init__(self, store: Store, changed: Observable[T], every: float = LOOK_EVERY) -> None:
        self._store = store
        self._changed = changed
        self._every = every
        self.woken = asyncio.Event()
        """Ends the current wait, or if there is none the next one."""
        self._version = -1
        self._silence: Callable[[], None] = lambda: None

    async def __aenter__(self) -> CommitWatch[T]:
        """Begin to hear; what is stored from here on ends the next `wait`."""
        self._silence = self._changed.listen(lambda _: self.woken.set())
        self._version = await self._store.database.version()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Hear no more."""
        self._silence()

    async def wait(self, cancellation: Cancellation | None = None, *, at_most: float | None = None) -> None:
        """Wait until something was stored, a stop is requested, or `at_most` seconds have passed."""
        loop = asyncio.get_running_loop()
        end = None if at_most is None else loop.time() + at_most
        while not self.woken.is_set() and not (cancellation is not None and cancellation.requested()):
            left = self._every if end is None else min(self._every, end - loop.time())
            if left <= 0:
                return
            await self._hear(left, cancellation)
            if self.woken.is_set():
                break
            version = await self._store.database.version()
            if version != self._version:
                self._version = version
                return
        self.woken.clear()

    async def _hear(self, seconds: float, cancellation: Cancellation | None) -> None:
        heard: list[asyncio.Future[object]] = [asyncio.ensure_future(self.woken.wait())]
        if cancellation is not None:
            heard.append(asyncio.ensure_future(cancellation.wait()))
        try:
            await asyncio.wait(heard, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in heard:
                one.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*heard, return_exceptions=True)
