"""The event loop of asyncio within Qt's, in which a task may let Qt handle events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import Any

import qasync

_LATER = 0.01
"""Seconds after which a callback that came in the middle of a task is tried again."""


class EventLoop(qasync.QEventLoop):  # type: ignore[misc]  # the library is untyped
    """An asyncio event loop within Qt's that runs no callback in the middle of a task.

    A native dialog, a drag or a synthetic key handles Qt's events before it returns. Another task that continued then
    would be refused by asyncio, and never be woken again."""

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Call back in `delay` seconds, or as soon after that as no task is in the middle of a step."""
        if asyncio.iscoroutinefunction(callback):
            raise TypeError("coroutines cannot be called later")

        def called() -> None:
            if asyncio.current_task(self) is None:
                callback(*args)
            else:
                self._add_callback(handle, _LATER)

        handle = asyncio.Handle(called, (), self, context)
        self._add_callback(handle, delay)
        return handle
