"""Work that must come to its end within a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Await the work and return its result; after `seconds` it is cancelled and `TimeoutError` raised.

    It begins at once in the task of the caller, and work that never waits needs no timer, which costs as much as a
    small edit."""
    try:
        awaited = work.send(None)
    except StopIteration as ended:
        result: T = ended.value
        return result
    async with asyncio.timeout(seconds):
        return await _Begun(work, awaited)


class _Begun(Awaitable[T]):
    """A coroutine that was begun by hand and waits for something, awaited from there on."""

    def __init__(self, work: Coroutine[Any, Any, T], awaited: Any) -> None:
        self._work = work
        self._awaited = awaited

    def __await__(self) -> Generator[Any, Any, T]:
        awaited = self._awaited
        try:
            while True:
                try:
                    sent = yield awaited
                except GeneratorExit:
                    self._work.close()
                    raise
                except BaseException as thrown:
                    awaited = self._work.throw(thrown)
                else:
                    awaited = self._work.send(sent)
        except StopIteration as ended:
            result: T = ended.value
            return result
