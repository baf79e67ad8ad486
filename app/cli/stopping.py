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
"""What a command is given second is what it needs of the studio: all of it, or the archive."""


def completed(work: Coroutine[Any, Any, T], stop: StopSignals) -> T:
    """The result of the work, as `asyncio.run` has it; once a signal has come, threads that are still busy with what
    the work gave up are not waited for."""
    with asyncio.Runner() as runner:
        try:
            return runner.run(work)
        finally:
            if stop.received:
                runner.get_loop().set_default_executor(ThreadPoolExecutor())


@contextmanager
def stoppable(stop: StopSignals, cancellation: Cancellation) -> Iterator[None]:
    """Within, a signal asks the work to stop at its next row; a second one, or time, cancels this task."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    with stop.heard_by(loop.call_soon_threadsafe, cancellation.cancel, task.cancel):
        yield


def interruptible(command: Command) -> Command:
    """The command, broken off where it waits as soon as somebody asks it to stop: nothing is under way that must come
    to an end. Raises `WorkCancelled` then."""

    async def broken_off(
        arguments: argparse.Namespace, studio: Any, output: Output, cancellation: Cancellation
    ) -> int:
        return await cancellation.race(command(arguments, studio, output, cancellation))

    return broken_off


async def asked(question: str) -> str:
    """A person's answer at the terminal; the end of input is no answer."""
    sys.stderr.write(question)
    sys.stderr.flush()
    answer: str = await asyncio.to_thread(sys.stdin.readline)
    return answer.strip()


async def typed_unseen(question: str) -> str:
    """What a person types at the terminal without seeing it. Raises `getpass.GetPassWarning` where it would be seen."""
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
    """Whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()
