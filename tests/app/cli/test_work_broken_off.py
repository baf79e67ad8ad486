"""The first signal breaks off work that stores nothing, such as judging a long plan."""

from __future__ import annotations

import asyncio

import pytest

from agent.plan.in_thread import in_thread
from agent.plan.watch import Stopped, Watch
from agent.session.cancellation import Cancellation, WorkCancelled


def test_work_that_nobody_stops_comes_to_its_end() -> None:
    async def story() -> int:
        async def work() -> int:
            return 7

        return await Cancellation().race(work())

    assert asyncio.run(story()) == 7


def test_a_signal_ends_the_command_and_the_thread_that_works_for_it() -> None:
    ended = False

    async def story() -> None:
        cancellation, loop = Cancellation(), asyncio.get_running_loop()

        def work(watch: Watch) -> None:
            nonlocal ended
            loop.call_soon_threadsafe(cancellation.cancel)
            try:
                while True:
                    watch.look()
            except Stopped:
                ended = True
                raise

        with pytest.raises(WorkCancelled):
            await cancellation.race(in_thread(work))

    asyncio.run(story())  # which waits for its threads
    assert ended
