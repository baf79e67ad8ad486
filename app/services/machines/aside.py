"""Blocking work in a thread that nobody has to wait for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def aside(work: Callable[[], T], name: str) -> T:
    """Run blocking work in a thread of its own, called `name`, and return its result. When the wait is cancelled,
    the thread is abandoned to its own time limits; unlike the loop's own threads it does not keep the program from
    ending."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[T] = loop.create_future()

    def told(settle: Callable[[], None]) -> None:
        def settle_once() -> None:
            if not ended.done():
                settle()

        try:
            loop.call_soon_threadsafe(settle_once)
        except RuntimeError:
            return  # the loop has ended, and with it everybody who waited

    def run() -> None:
        try:
            value = work()
        except Exception as problem:
            fault = problem
            told(lambda: ended.set_exception(fault))
        else:
            told(lambda: ended.set_result(value))

    threading.Thread(target=run, name=name, daemon=True).start()
    return await ended
