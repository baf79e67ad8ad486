"""A command that is told to end, and a person who is asked."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
import warnings
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from agent.session.cancellation import Cancellation
from app.cli.output import Output
from app.signals import StopSignals

T = TypeVar("T")
Command: TypeAlias = Callable[[argparse.Namespace, Any, Output, Cancellation], Coroutine[Any, Any, int]]
"""A command; its second argument is the studio, or the archive for commands that need no more."""


def completed(work: Coroutine[Any, Any, T], stop: StopSignals) -> T:
    """Run the coroutine to its end as `asyncio.run` does and return its result; raises what it raises. After a signal,
    threads that its cancelled work still occupies are not waited for."""
    with asyncio.Runner() as runner:
        try:
            return runner.run(work)
        finally:
            if stop.received:
                runner.get_loop().set_default_executor(ThreadPoolExecutor())


@contextmanager
def stoppable(stop: StopSignals, cancellation: Cancellation) -> Iterator[None]:
    """Context in which a signal requests the cancellation, so that work stops at its next row; a second signal, or a
    delay, cancels the current task."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    with stop.heard_by(loop.call_soon_threadsafe, cancellation.cancel, task.cancel):
        yield


def interruptible(command: Command) -> Command:
    """A command that is cancelled at once when a stop is requested, because it leaves nothing half done. It raises
    `WorkCancelled` then."""

    async def broken_off(
        arguments: argparse.Namespace, studio: Any, output: Output, cancellation: Cancellation
    ) -> int:
        return await cancellation.race(command(arguments, studio, output, cancellation))

    return broken_off


async def asked(question: str) -> str:
    """Ask at the terminal; the line typed, without spaces around it, and "" at the end of input."""
    sys.stderr.write(question)
    sys.stderr.flush()
    answer: str = await asyncio.to_thread(sys.stdin.readline)
    return answer.strip()


async def typed_unseen(question: str) -> str:
    """Ask at the terminal without echo; "" at the end of input. Raises `getpass.GetPassWarning` if the typing would be
    visible."""
    with _terminal_as_it_was(), warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return await asyncio.to_thread(getpass.getpass, question, sys.stderr)
        except EOFError:
            return ""


@contextmanager
def _terminal_as_it_was() -> Iterator[None]:
    """What is typed is seen again afterwards, also where the thread that asks was left behind."""
    if sys.platform == "win32":
        yield
        return
    import termios

    before = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def somebody_there() -> bool:
    """Whether stdin is a terminal, so that a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()
