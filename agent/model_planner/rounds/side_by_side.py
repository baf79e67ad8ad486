"""Several streams of a planner as one: parts that are planned at the same time, or one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing

from agent.model_planner.rounds.stream import Stream
from agent.plan.plan import Step
from agent.plan.planning import PlannerEvent, StepProposed, StepsWithdrawn


async def side_by_side(streams: Sequence[Stream], at_once: int) -> Stream:
    """The events of several streams as one stream; at most `at_once` streams run at a time, started in order.

    A stream that withdraws its rows leaves those of the others on display. The first failure ends all and is raised.
    """
    queue: asyncio.Queue[tuple[int, PlannerEvent] | None] = asyncio.Queue()
    runner = asyncio.create_task(_run(streams, at_once, queue))
    shown: list[list[Step]] = [[] for _ in streams]
    try:
        while (item := await queue.get()) is not None:
            place, event = item
            if isinstance(event, StepProposed):
                shown[place].append(event.step)
            elif isinstance(event, StepsWithdrawn):
                shown[place] = []
            yield event
            if isinstance(event, StepsWithdrawn):
                for step in [step for rows in shown for step in rows]:
                    yield StepProposed(step)
        await _end_of(runner)
    finally:
        runner.cancel()
        await asyncio.gather(runner, return_exceptions=True)


async def _run(
    streams: Sequence[Stream], at_once: int, queue: asyncio.Queue[tuple[int, PlannerEvent] | None]
) -> None:
    gate = asyncio.Semaphore(at_once)

    async def pump(place: int, stream: Stream) -> None:
        async with gate, aclosing(stream) as events:
            async for event in events:
                queue.put_nowait((place, event))

    try:
        async with asyncio.TaskGroup() as group:
            for place, stream in enumerate(streams):
                group.create_task(pump(place, stream))
    finally:
        queue.put_nowait(None)


async def _end_of(runner: asyncio.Task[None]) -> None:
    """Wait for the end; of several failures the first is raised as it was."""
    try:
        await runner
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
