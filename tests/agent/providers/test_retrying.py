"""A call is sent again when that can help, the person sees why and how long, and nothing else is tried twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE
from scripted_provider import QUERY, ScriptedProvider, all_of, fails, whole

from agent.providers.errors import ONCE_MORE, TRANSIENT, Fault, ProviderError
from agent.providers.provider import ReplyEvent, Restarted, RetryWait, TextPart
from agent.providers.retrying import RetryingProvider

FAULTS: tuple[Fault, ...] = get_args(Fault)


class Clock:
    """Sleeps in no time and adds up what was slept."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


def patient(provider: ScriptedProvider, clock: Clock, **more: Any) -> RetryingProvider:
    return RetryingProvider(provider, sleep=clock.sleep, **({"jitter": lambda: 0.5} | more))


def replied(provider: ScriptedProvider, clock: Clock, **more: Any) -> list[ReplyEvent]:
    return asyncio.run(all_of(patient(provider, clock, **more)))


def failed(provider: ScriptedProvider, clock: Clock, **more: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        replied(provider, clock, **more)
    return caught.value


def test_a_reply_at_once_passes_as_it_is() -> None:
    clock = Clock()
    assert replied(ScriptedProvider(whole("hi")), clock) == whole("hi")
    assert clock.slept == []


@pytest.mark.parametrize("fault", sorted(TRANSIENT))
def test_what_may_pass_is_tried_again_and_void_parts_are_called_so(fault: Fault) -> None:
    provider, clock = ScriptedProvider([TextPart("ha"), fails(fault)], whole("hi")), Clock()
    events = replied(provider, clock)
    wait = events[1]
    assert isinstance(wait, RetryWait)
    assert (events[0], wait.attempt, wait.reason) == (TextPart("ha"), 2, f"anthropic did not answer (it is {fault})")
    assert events[2:] == [Restarted(), *whole("hi")]


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - TRANSIENT - ONCE_MORE))
def test_what_stays_wrong_is_never_tried_again(fault: Fault) -> None:
    provider, clock = ScriptedProvider([fails(fault, wait=1)], whole("hi")), Clock()
    error = failed(provider, clock)
    assert (error.fault, error.advice, provider.asked, clock.slept) == (fault, "Wait.", 1, [])


def test_what_cannot_be_read_is_asked_for_once_more_and_not_for_ever() -> None:
    provider, clock = ScriptedProvider([TextPart("h"), fails("malformed")], whole("hi")), Clock()
    assert replied(provider, clock)[-2:] == whole("hi")
    again = ScriptedProvider(*[[fails("malformed")]] * 3)
    error = failed(again, clock)
    assert (again.asked, error.fault, error.why) == (2, "malformed", "it is malformed; tried 2 times")


def test_it_waits_one_two_and_four_seconds_and_then_gives_up_saying_how_often_it_tried() -> None:
    provider, clock = ScriptedProvider(*[[fails("overloaded")]] * 9), Clock()
    error = failed(provider, clock)
    assert provider.asked == 4
    assert clock.slept == [1] * 7
    assert error.fault == "overloaded"
    assert error.why == "it is overloaded; tried 4 times"
    assert error.advice == "Wait."


@given(st.floats(0, 1))
def test_waits_differ_by_chance_and_stay_near_their_length(chance: float) -> None:
    clock = Clock()
    replied(ScriptedProvider([fails("server")], [fails("server")], whole("hi")), clock, jitter=lambda: chance)
    assert 0.75 * 3 <= sum(clock.slept) <= 1.25 * 3


def test_the_wait_that_the_server_asks_for_is_kept_and_counted_down() -> None:
    clock = Clock()
    events = replied(ScriptedProvider([fails("rate_limit", wait=3.5)], whole("hi")), clock)
    assert [event.seconds for event in events if isinstance(event, RetryWait)] == [3.5, 2.5, 1.5, 0.5]
    assert clock.slept == [1, 1, 1, 0.5]


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [(60.5, "61 seconds"), (150, "3 minutes"), (86400, "24 hours"), (float("inf"), "a long time"), (float("nan"), "")],
)
def test_a_longer_wait_is_not_waited_for_and_is_told(asked: float, spoken: str) -> None:
    provider, clock = ScriptedProvider([fails("rate_limit", wait=asked)], whole("hi")), Clock()
    error = failed(provider, clock)
    assert (error.fault, provider.asked, clock.slept) == ("rate_limit", 1, [])
    assert spoken in error.advice


def test_a_wait_of_sixty_seconds_is_waited_for() -> None:
    clock = Clock()
    replied(ScriptedProvider([fails("rate_limit", wait=60)], whole("hi")), clock)
    assert sum(clock.slept) == 60


@pytest.mark.parametrize("asked", [0.0, -3.0])
def test_a_server_that_asks_for_no_wait_is_still_not_hammered(asked: float) -> None:
    clock = Clock()
    replied(ScriptedProvider([fails("overloaded", wait=asked)], whole("hi")), clock)
    assert sum(clock.slept) == 1


def test_cancelling_ends_a_wait_at_once_and_calls_nobody_again() -> None:
    provider = ScriptedProvider([fails("rate_limit", wait=50)], whole("hi"))

    async def cancel() -> None:
        waits = asyncio.Event()

        async def listen() -> None:
            async for event in RetryingProvider(provider).reply(QUERY):
                if isinstance(event, RetryWait):
                    waits.set()

        task = asyncio.create_task(listen())
        await waits.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(cancel(), PATIENCE))
    assert provider.asked == 1


def test_a_stream_that_is_left_early_is_closed_below_too() -> None:
    provider = ScriptedProvider([TextPart("a"), None])

    async def leave() -> int:
        stream = patient(provider, Clock()).reply(QUERY)
        assert isinstance(stream, AsyncGenerator)
        await anext(stream)
        assert provider.open == 1
        await stream.aclose()
        return provider.open

    assert asyncio.run(leave()) == 0


def test_it_passes_for_the_provider_that_it_wraps() -> None:
    provider = ScriptedProvider()
    wrapped = RetryingProvider(provider)
    assert (wrapped.name, wrapped.model, wrapped.abilities) == (provider.name, provider.model, provider.abilities)
    assert asyncio.run(wrapped.models()) == ("one",)
