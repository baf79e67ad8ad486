"""A planner on a patient provider: broken streams void their rows, waiting is told, leaving frees the connection."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest
from asking import provider_at
from model_plans import Planned, a_brief, many_rows, planned, the_prompts, the_registry, written
from model_server import FORMS, Cut, Fails, Form, Stall, Text, model_server

from agent.model_planner.planner import ModelPlanner
from agent.plan.planning import Countdown, StepProposed, StepsWithdrawn
from agent.providers.provider import Provider
from agent.providers.retrying import RetryingProvider
from agent.song.song import Song

ROWS = many_rows(14)


async def at_once(_seconds: float) -> None:
    """No waiting in tests."""
    await asyncio.sleep(0)


def planner_on(provider: Provider) -> ModelPlanner:
    return ModelPlanner(RetryingProvider(provider, sleep=at_once), the_prompts(), the_registry())


@pytest.mark.parametrize("form", FORMS)
def test_rows_of_a_broken_stream_are_void_and_come_again(form: Form) -> None:
    async def journey(url: str) -> Planned:
        provider = provider_at(form, url)
        try:
            return await planned(planner_on(provider), a_brief(song=Song()))
        finally:
            await provider.close()

    whole = Text(written(ROWS))
    script = [Fails(529, "overloaded"), Cut(whole, len(whole.text) // 2, "reset"), whole]
    with model_server(script, size=97) as server:
        result = asyncio.run(asyncio.wait_for(journey(server.url(form)), 60))
    kinds = [type(event) for event in result.events]
    assert Countdown in kinds
    assert kinds.index(StepProposed) < kinds.index(StepsWithdrawn)
    assert result.shown == list(result.draft.steps)
    assert [step.inputs for step in result.draft.steps] == [row["inputs"] for row in ROWS]


@pytest.mark.parametrize("form", FORMS)
def test_a_planning_that_is_left_frees_the_connection_and_the_planner_goes_on(form: Form) -> None:
    async def journey(url: str) -> int:
        provider = provider_at(form, url)
        planner = planner_on(provider)
        try:
            async with aclosing(planner.plan(a_brief(song=Song()))) as events:
                async for event in events:
                    if isinstance(event, StepProposed):
                        break
            assert await asyncio.to_thread(server.requests[0].left.wait, 30)
            return len((await planned(planner, a_brief(song=Song()))).draft.steps)
        finally:
            await provider.close()

    whole = Text(written(ROWS))
    with model_server([Stall(whole, len(whole.text) // 2), whole], size=97) as server:
        assert asyncio.run(asyncio.wait_for(journey(server.url(form)), 60)) == 14


@pytest.mark.parametrize("form", FORMS)
def test_a_planning_that_is_cancelled_ends_at_once(form: Form) -> None:
    async def journey(url: str) -> bool:
        provider = provider_at(form, url)
        shown = asyncio.Event()

        async def watch() -> None:
            async with aclosing(planner_on(provider).plan(a_brief("1. a pad 2. a bass", song=Song()))) as events:
                async for event in events:
                    if isinstance(event, StepProposed):
                        shown.set()

        before = asyncio.all_tasks()
        task = asyncio.create_task(watch())
        await shown.wait()
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return asyncio.all_tasks() == before
        finally:
            await provider.close()
        return False

    whole = Text(written(ROWS))
    with model_server(Stall(whole, len(whole.text) // 2), size=97) as server:
        assert asyncio.run(asyncio.wait_for(journey(server.url(form)), 60))
