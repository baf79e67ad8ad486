"""Ctrl-C and SIGTERM while a command works, and while a person is asked."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from agent.session.cancellation import Cancellation

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_GRACE = 3.0
"""Seconds after which a command that did not stop by itself is ended."""


@contextmanager
def stoppable(cancellation: Cancellation) -> Iterator[None]:
    """Within, the first signal asks the work to stop at its next row; a second one, or time, ends the command."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        if task is not None:
            loop.call_later(0 if cancellation.requested() else _GRACE, task.cancel)
        cancellation.cancel()

    with suppress(NotImplementedError):
        for number in _SIGNALS:
            loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            for number in _SIGNALS:
                loop.remove_signal_handler(number)


def asked(question: str) -> str:
    """A person's answer at the terminal; Ctrl-C raises `KeyboardInterrupt`, the end of input is no answer."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        sys.stderr.write(question)
        sys.stderr.flush()
        return sys.stdin.readline().strip()
    finally:
        signal.signal(signal.SIGINT, handler)


def somebody_there() -> bool:
    """Whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()
