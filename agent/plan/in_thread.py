"""Pure work in a thread that ends with whoever waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from agent.plan.watch import Watch

T = TypeVar("T")
_TELL_EVERY = 0.2
"""Seconds between two words of progress; work that is shorter tells none."""


async def in_thread(work: Callable[[Watch], T], progress: Callable[[float], None] = lambda _: None) -> T:
    """The result of `work`, which is run in a thread. If the waiting task is cancelled, the work is stopped when it
    next looks at its `Watch`.

    `progress` is called on the event loop with the share that is done, 0 to 1, a few times a second.
    """
    loop, stopped = asyncio.get_running_loop(), threading.Event()
    told = monotonic()

    def tell(share: float) -> None:
        nonlocal told
        if not stopped.is_set() and monotonic() - told > _TELL_EVERY:
            told = monotonic()
            loop.call_soon_threadsafe(progress, share)

    try:
        return await asyncio.to_thread(work, Watch(stopped.is_set, tell))
    finally:
        stopped.set()
