"""Work within a time: what it comes to, and what it is told when its time is over."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from agent.session.calling import within
from tests.support.awaiting import awaited


async def _at_once() -> int:
    return 7


async def _after(seconds: float) -> int:
    for _ in range(3):
        await asyncio.sleep(seconds / 3)
    return 7


async def _fails(first: float) -> int:
    await asyncio.sleep(first)
    raise ValueError("broken")


@pytest.mark.parametrize("work", [_at_once, lambda: _after(0), lambda: _after(0.01)])
@awaited
async def test_gives_what_the_work_comes_to(work: Any) -> None:
    assert await within(5, work()) == 7


@awaited
async def test_begins_the_work_before_anything_else_has_its_turn() -> None:
    order: list[str] = []

    async def noting() -> None:
        order.append("work")

    asyncio.get_running_loop().call_soon(order.append, "loop")
    await within(5, noting())
    await asyncio.sleep(0)

    assert order == ["work", "loop"]


@pytest.mark.parametrize("first", [0, 0.01])
@awaited
async def test_passes_the_fault_of_the_work_on(first: float) -> None:
    with pytest.raises(ValueError, match="broken"):
        await within(5, _fails(first))


@awaited
async def test_ends_work_that_waits_too_long_and_lets_it_clean_up() -> None:
    left: list[str] = []

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            left.append("clean")

    with pytest.raises(TimeoutError):
        await within(0.01, endless())
    assert left == ["clean"]


@awaited
async def test_its_own_time_does_not_hide_that_of_the_work() -> None:
    async def inner() -> str:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.Event().wait()
        except TimeoutError:
            return "the work's own"
        return "none"

    assert await within(5, inner()) == "the work's own"


@awaited
async def test_a_cancelled_caller_cancels_the_work() -> None:
    told: list[bool] = []

    async def waiting() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            told.append(True)
            raise

    task = asyncio.create_task(within(5, waiting()))
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert told == [True]


@awaited
async def test_work_that_is_thrown_away_is_closed() -> None:
    left: list[str] = []

    async def waiting() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            left.append("closed")

    work: Coroutine[Any, Any, None] = within(5, waiting())
    task = asyncio.current_task()
    assert task is not None
    work.send(None)
    work.close()

    assert left == ["closed"]
