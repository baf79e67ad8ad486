"""A real model on this machine through the real SDK: only that all goes its way, nothing about music.

Left out unless `make local-model` asks for it: it builds a server and fetches weights.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Coroutine, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeVar

import pytest
from asking import FORM, TOOLS
from local_model import CONTEXT, VARIABLE, LocalModel, local_model
from model_plans import a_brief, planned, the_prompts, the_registry
from studio_parts import the_palette

from agent.conversation.messages import ModelTurn, UserTurn
from agent.errors import BandleaderError
from agent.model_planner.planner import ModelPlanner
from agent.model_planner.probe import can_plan
from agent.model_planner.rounds.limits import PlanningLimits
from agent.plan.planning import ClarifyingQuestion, DraftReady
from agent.providers.errors import ProviderError
from agent.providers.openai_chat import OpenAIChatProvider
from agent.providers.provider import CallBegun, Finished, Query, Reply, ReplyEvent, TextPart

pytestmark = [
    pytest.mark.skipif(VARIABLE not in os.environ, reason="needs a model on this machine: make local-model"),
    pytest.mark.timeout(900),
]
Value = TypeVar("Value")
_LONGEST = 150.0
"""Seconds for a plan, after which it is stopped: on a slow machine such a model may write nonsense for long."""


@pytest.fixture(scope="module")
def model() -> Iterator[LocalModel]:
    """The server; it serves all tests of this file."""
    with local_model(Path(os.environ[VARIABLE])) as found:
        yield found


def ran(work: Coroutine[Any, Any, Value]) -> Value:
    """Run it, and not for ever."""
    return asyncio.run(asyncio.wait_for(work, 600))


def say(words: str) -> None:
    """For the person who runs this by hand."""
    print(f"\n    {words}", end="")  # noqa: T201


def told(what: str, began: float, reply: Reply | None = None) -> None:
    """Say how long it took."""
    took = time.perf_counter() - began
    # This server tells no usage while it streams.
    speed = "" if reply is None else f", {len(reply.text) / took:.0f} characters a second"
    say(f"{what}: {took:.1f} s{speed}")


def asked(words: str, **more: Any) -> Query:
    """A short question."""
    return Query(**{"system": "You are brief.", "turns": (UserTurn(words),), "max_tokens": 60, **more})


async def heard(provider: OpenAIChatProvider, query: Query) -> tuple[list[ReplyEvent], Reply]:
    """All that comes, and the reply at its end."""
    events = [event async for event in provider.reply(query)]
    end = events[-1]
    assert isinstance(end, Finished)
    return events, end.reply


def replies(url: str, name: str, *queries: Query) -> list[tuple[list[ReplyEvent], Reply]]:
    """What comes to these queries, one after another on one client."""

    async def journey() -> list[tuple[list[ReplyEvent], Reply]]:
        provider = OpenAIChatProvider(name, url)
        try:
            return [await heard(provider, query) for query in queries]
        finally:
            await provider.close()

    return ran(journey())


def test_the_server_lists_its_models(model: LocalModel) -> None:
    async def journey() -> tuple[str, ...]:
        provider = OpenAIChatProvider(model.plain, model.url)
        try:
            return await provider.models()
        finally:
            await provider.close()

    assert set(ran(journey())) == {model.plain, model.calls}


def test_words_stream(model: LocalModel) -> None:
    began = time.perf_counter()
    [(events, reply)] = replies(model.url, model.plain, asked("Name the colours of the rainbow."))
    told("words", began, reply)
    parts = [event.text for event in events if isinstance(event, TextPart)]
    assert len(parts) > 1
    assert "".join(parts) == reply.text != ""
    assert reply.finish in ("end", "length")


def test_an_answer_cut_by_its_limit_goes_on(model: LocalModel) -> None:
    [(_, cut)] = replies(model.url, model.plain, asked("Count from one to thirty in words.", max_tokens=8))
    assert cut.finish == "length"
    assert cut.truncated
    turns = (UserTurn("Count from one to thirty in words."), ModelTurn(cut.text), UserTurn("Go on where you stopped."))
    [(_, rest)] = replies(model.url, model.plain, asked("", turns=turns))
    assert rest.finish in ("end", "length")


def test_an_answer_is_held_to_a_schema(model: LocalModel) -> None:
    began = time.perf_counter()
    [(_, reply)] = replies(model.url, model.plain, asked("A song of 8 bars, as JSON.", form=FORM, max_tokens=200))
    told("an answer held to a schema", began, reply)
    if reply.finish == "end":
        answer = json.loads(reply.text)
        assert set(answer) == {"title", "bars"}
        assert isinstance(answer["bars"], int)
    else:
        assert reply.truncated


@pytest.mark.parametrize("choice", ["auto", "any"])
def test_a_tool_is_called_or_the_reason_is_told(model: LocalModel, choice: str) -> None:
    began = time.perf_counter()
    words = "Add a track with the name Drums. Use the function create_track."
    query = asked(words, tools=TOOLS[:1], tool_choice=choice, max_tokens=100)
    fault = ""
    try:
        [(events, reply)] = replies(model.url, model.calls, query)
    except ProviderError as problem:
        # A choice that this server does not know breaks it in the middle of its answer.
        told(f"a tool call ({choice}): {problem}", began)
        fault = problem.fault
    if fault:
        assert fault in ("not_a_model", "cut_off", "server", "bad_request", "malformed")
        return
    told(f"a tool call ({choice}): {[call.name for call in reply.calls] or reply.finish}", began)
    begun = [event.name for event in events if isinstance(event, CallBegun)]
    # A call that was cut, or is no JSON, is never taken for one.
    assert {call.name for call in reply.calls} <= set(begun)
    assert all(isinstance(call.arguments, dict) for call in reply.calls)


def test_a_stopped_answer_leaves_the_client_and_the_server_usable(model: LocalModel) -> None:
    async def journey() -> tuple[float, Reply]:
        provider = OpenAIChatProvider(model.plain, model.url)
        try:
            async with aclosing(provider.reply(asked("Tell a long story.", max_tokens=2000))) as events:
                await anext(events)
                began = time.perf_counter()
            stopped = time.perf_counter() - began
            return stopped, (await heard(provider, asked("Name a colour.", max_tokens=8)))[1]
        finally:
            await provider.close()

    stopped, reply = ran(journey())
    say(f"stopped in {stopped * 1000:.1f} ms")
    assert reply.finish in ("end", "length")


def test_planning_ends_in_a_plan_a_question_or_a_reason(model: LocalModel) -> None:
    async def journey() -> str:
        provider = OpenAIChatProvider(model.plain, model.url, idle=300)
        limits = PlanningLimits(context=CONTEXT, small=True, reflections=1, first_output=600, most_output=1200)
        planner = ModelPlanner(provider, the_prompts(), the_registry(), limits=limits)
        try:
            async with asyncio.timeout(_LONGEST):
                result = await planned(planner, a_brief("a soft pad of two bars"))
        except TimeoutError:
            return f"stopped after {_LONGEST:.0f} s"
        except BandleaderError as problem:
            return f"no plan: {problem}"
        finally:
            await provider.close()
        end = result.events[-1]
        assert isinstance(end, DraftReady | ClarifyingQuestion)
        return f"{type(end).__name__}, {len(result.shown)} rows shown"

    began = time.perf_counter()
    outcome = ran(journey())
    assert not outcome.endswith(": ")
    told(f"planning ended in: {outcome}", began)


def test_the_probe_tells_what_the_model_can_do(model: LocalModel) -> None:
    async def journey() -> tuple[str, ...]:
        provider = OpenAIChatProvider(model.plain, model.url, idle=300)
        limits = PlanningLimits(context=CONTEXT, small=True, reflections=1, first_output=600, most_output=1200)
        try:
            async with asyncio.timeout(_LONGEST):
                found = await can_plan(provider, the_prompts(), the_palette(), the_registry(), limits)
        except TimeoutError:
            return (f"stopped after {_LONGEST:.0f} s",)
        finally:
            await provider.close()
        assert found.ok or found.findings
        return (f"can plan: {found.ok}", *found.findings)

    began = time.perf_counter()
    found = ran(journey())
    told("the probe", began)
    for line in found:
        say(f"  {line}")
