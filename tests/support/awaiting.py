"""Coroutines run to their end from plain tests, and tests that are coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T")


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs its coroutine on a loop of its own."""

    @wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    return run


def result_of(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns on a loop of its own.

    `asyncio.run` writes the main task out, with its result, as often as it puts a signal back: of a plan that takes
    longer than half of the planning. So the task that it runs has no result.
    """
    results: list[T] = []

    async def run() -> None:
        results.append(await work)

    asyncio.run(run())
    return results[0]
