"""What is on its way to the store: carried out in order, each in a transaction of its own, told once it is stored."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from time import perf_counter
from typing import Generic, TypeVar

from app.storage.database import Database, Transaction

R = TypeVar("R")

_MOST = 32
"""Number of queued works above which `put` waits."""
_LONGEST = 0.004
"""Seconds after which `put` yields to the event loop."""


class Pipeline(Generic[R]):
    """Stores works in the order in which they were put in. Only for the event loop's thread.

    A work is a function of an open transaction, and runs on the database's thread. Works put in while others are stored
    share one disk sync. `stored` is called on the loop with the results of works that were stored since its last call.
    The first error of either ends the pipeline: nothing put in later is stored, and every later call raises that
    error."""

    def __init__(self, database: Database, stored: Callable[[Sequence[R]], None]) -> None:
        self._database = database
        self._loop = asyncio.get_running_loop()
        self._stored = stored
        self._waiting: deque[Callable[[Transaction], R]] = deque()
        self._done: list[R] = []
        self._soon: asyncio.Handle | None = None
        self._open = 0
        self._carrying = False
        self._fault: BaseException | None = None
        self._raised = False
        self._moved = asyncio.Event()
        self._rested = perf_counter()

    @property
    def broken(self) -> bool:
        """Whether an error has ended it."""
        return self._fault is not None

    def refuse_after_fault(self) -> None:
        """Raise the error that ended the pipeline, if one did."""
        if self._fault is not None:
            self._raised = True
            raise self._fault

    async def close(self) -> None:
        """Wait as `settled`; an error is raised only if no call has raised it before."""
        if not self._raised:
            await self.settled()

    async def put(self, work: Callable[[Transaction], R]) -> None:
        """Queue a work; waits only while too many are queued. Cancelling the wait does not withdraw the work."""
        self.refuse_after_fault()
        self._waiting.append(work)
        self._open += 1
        if self._soon is None:
            self._soon = self._loop.call_soon(self._carry_on)
        if self._open >= _MOST:
            await self._until_open(_MOST - 1)
        elif perf_counter() - self._rested > _LONGEST:
            await asyncio.sleep(0)
            self._rested = perf_counter()

    async def settled(self) -> None:
        """Wait until everything put in is stored and reported; raises the error that prevented it."""
        await self._until_open(0)

    async def _until_open(self, most: int) -> None:
        while self._open > most and self._fault is None:
            await self._moved.wait()
        self._rested = perf_counter()
        self.refuse_after_fault()

    def _carry_on(self) -> None:
        self._soon = None
        if not self._waiting or self._carrying:
            return
        try:
            turn = self._database.write_each(self._turn(), self._done.extend)
        except RuntimeError as closed:
            self._break(closed)
        else:
            self._carrying = True
            turn.add_done_callback(self._ended)

    def _turn(self) -> Iterator[Callable[[Transaction], R]]:
        """The next works, taken on the database's thread."""
        for _ in range(_MOST):
            if not self._waiting:
                return
            yield self._waiting.popleft()

    def _ended(self, turn: Future[None]) -> None:
        # A loop that is gone has no one left to tell.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._tell, turn.exception())

    def _tell(self, fault: BaseException | None) -> None:
        done, self._done, self._carrying = self._done, [], False
        self._open -= len(done)
        try:
            self._stored(done)
        except Exception as raised:
            fault = raised
        if fault is not None:
            self._break(fault)
            return
        self._carry_on()
        self._wake()

    def _break(self, fault: BaseException) -> None:
        self._fault = self._fault or fault
        self._waiting.clear()
        self._wake()

    def _wake(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
