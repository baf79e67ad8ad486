"""Every call is counted, also one that failed, and none begins beyond the cap."""

from __future__ import annotations

import asyncio

import pytest
from model_providers import asking, heard, provider_for
from model_server import Text, Tokens, model_server
from patience import PATIENCE
from scripted_provider import QUERY, ScriptedProvider, all_of, fails, whole

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, UserTurn
from agent.providers.errors import ProviderError
from agent.providers.metered import Meter, MeteredProvider, estimated_input, estimated_tokens
from agent.providers.prices import cost_of
from agent.providers.provider import Finished, Provider, Query, Restarted, TextPart, ToolOffer, Usage
from agent.providers.retrying import RetryingProvider


def a_cent_per_token(model: str, provider: str, usage: Usage, address: str | None) -> float | None:
    return usage.total / 100


def unknown(model: str, provider: str, usage: Usage, address: str | None) -> float | None:
    return None


def told(provider: Provider) -> Usage:
    """The usage of the reply."""
    end = asyncio.run(all_of(provider))[-1]
    assert isinstance(end, Finished)
    return end.reply.usage


def test_usage_and_cost_add_up_over_calls_and_each_is_told() -> None:
    calls: list[tuple[Usage, float | None]] = []
    meter = Meter(price=a_cent_per_token, spent_before=1.0, listen=lambda usage, cost: calls.append((usage, cost)))
    provider = MeteredProvider(ScriptedProvider(whole("a"), whole("b", Usage(20, 30, cached=4, calls=1))), meter)
    told(provider)
    told(provider)
    assert meter.usage == Usage(30, 35, cached=4, calls=2)
    assert meter.cost == pytest.approx(0.65)
    assert meter.spent == pytest.approx(1.65)
    assert [cost for _, cost in calls] == [pytest.approx(0.15), pytest.approx(0.5)]
    assert meter.remark == ""


def test_the_call_that_passes_the_cap_is_kept_and_the_next_is_not_made() -> None:
    scripted = ScriptedProvider(whole("a"), whole("b"), whole("c"))
    provider = MeteredProvider(scripted, Meter(cap=0.20, price=a_cent_per_token))
    told(provider)
    told(provider)
    with pytest.raises(ProviderError) as caught:
        told(provider)
    assert (caught.value.fault, caught.value.transient, scripted.asked) == ("cap", False, 2)
    assert "$0.30" in caught.value.why
    assert "$0.20" in caught.value.why
    assert caught.value.advice


@pytest.mark.parametrize("nonsense", [
    Usage(-1_000_000, 5, calls=1), Usage(5, -1, calls=1), Usage(10**30, 5, calls=1), Usage(5, 10**10, calls=1),
    Usage(5, 5, cached=6, calls=1), Usage(5, 5, cached=-6, calls=1),
])
def test_usage_that_cannot_be_is_estimated_and_gives_no_money_back(nonsense: Usage) -> None:
    meter = Meter(cap=1_000.0, price=a_cent_per_token)
    usage = told(MeteredProvider(ScriptedProvider(whole("four", nonsense)), meter))
    assert (usage.input, usage.output, usage.known) == (estimated_input(QUERY), 1, False)
    assert meter.cost == pytest.approx(usage.total / 100)


def test_what_was_spent_before_counts_for_the_cap() -> None:
    scripted = ScriptedProvider(whole("a"))
    with pytest.raises(ProviderError, match="was not asked"):
        told(MeteredProvider(scripted, Meter(cap=5.0, spent_before=5.0, price=a_cent_per_token)))
    assert scripted.asked == 0


def test_a_server_at_home_is_asked_whatever_was_spent() -> None:
    scripted = ScriptedProvider(whole("a"), name="openai-chat")
    meter = Meter(cap=1.0, spent_before=1.0)
    assert told(MeteredProvider(scripted, meter, "http://127.0.0.1:11434/v1")).calls == 1
    assert (meter.cost, meter.unpriced) == (0.0, Usage())


def test_a_price_that_nobody_knows_is_said_and_not_taken_for_nothing() -> None:
    meter = Meter(cap=0.01, price=unknown)
    provider = MeteredProvider(ScriptedProvider(whole("a", Usage(9000, 1000, calls=1)), whole("b")), meter)
    told(provider)
    told(provider)
    assert meter.unpriced == meter.usage == Usage(9010, 1005, calls=2)
    assert meter.cost == 0.0
    assert meter.remark == "10,015 tokens have no known price; the spending cap does not see them."


def test_a_server_that_tells_no_usage_is_estimated_and_the_reply_says_so() -> None:
    meter = Meter(price=a_cent_per_token)
    usage = told(MeteredProvider(ScriptedProvider(whole("x" * 400, Usage(known=False))), meter))
    assert usage == meter.usage == Usage(estimated_input(QUERY), 100, calls=1, known=False)
    assert meter.cost == pytest.approx(usage.total / 100)


def test_a_reply_that_broke_off_is_counted_for_what_came_and_a_call_without_any_is_not() -> None:
    meter = Meter(price=a_cent_per_token)
    broken = ScriptedProvider([fails("overloaded")], [TextPart("x" * 40), fails("cut_off")], whole("a"))

    async def no_wait(seconds: float) -> None:
        await asyncio.sleep(0)

    told(RetryingProvider(MeteredProvider(broken, meter), sleep=no_wait))
    assert meter.usage == Usage(estimated_input(QUERY) + 10, 10 + 5, calls=2, known=False)


def test_below_patience_or_above_it_the_count_is_the_same() -> None:
    meter = Meter(price=a_cent_per_token)
    events = [TextPart("x" * 40), Restarted(), *whole("a")]
    told(MeteredProvider(ScriptedProvider(events), meter))
    assert meter.usage == Usage(estimated_input(QUERY) + 10, 10 + 5, calls=2, known=False)


def test_the_cap_ends_the_tries_too() -> None:
    meter = Meter(cap=0.05, price=a_cent_per_token)
    scripted = ScriptedProvider([TextPart("x" * 400), fails("cut_off")], whole("a"))

    async def no_wait(seconds: float) -> None:
        await asyncio.sleep(0)

    with pytest.raises(ProviderError, match="was not asked"):
        told(RetryingProvider(MeteredProvider(scripted, meter), sleep=no_wait))
    assert scripted.asked == 1


def test_a_cancelled_reply_is_counted_and_its_stream_closed() -> None:
    meter = Meter(price=a_cent_per_token)
    scripted = ScriptedProvider([TextPart("x" * 40), None])

    async def cancel() -> None:
        begun = asyncio.Event()

        async def listen() -> None:
            async for _ in MeteredProvider(scripted, meter).reply(QUERY):
                begun.set()

        task = asyncio.create_task(listen())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(cancel(), PATIENCE))
    assert meter.usage == Usage(estimated_input(QUERY), 10, calls=1, known=False)
    assert scripted.open == 0


def test_estimates_see_every_part_of_a_query() -> None:
    turns = (UserTurn("x" * 40), ModelTurn("y" * 40, (ToolCall("c1", "find", {"q": "z" * 80}),)))
    results = ResultsTurn((ToolResult("c1", "r" * 400),))
    offer = ToolOffer("find", "f" * 200, {"type": "object"})
    sizes = [
        estimated_input(query)
        for query in (
            Query("", ()), Query("s" * 40, ()), Query("s" * 40, turns[:1]), Query("s" * 40, turns),
            Query("s" * 40, (*turns, results)), Query("s" * 40, (*turns, results), (offer,)),
        )
    ]
    assert sizes == sorted(set(sizes)), "each part adds"
    assert sizes[:3] == [0, 10, 20]


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("音楽", 2), ("\ud800", 1)])
def test_about_four_bytes_make_a_token(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


def test_a_server_at_home_that_tells_no_usage_is_estimated_and_free() -> None:
    """Through the real adapter and its SDK."""
    meter = Meter(cap=0.01)

    async def once(url: str) -> Usage:
        provider = MeteredProvider(provider_for("openai-chat", url), meter, url)
        _, reply = await heard(provider, asking("make a beat"))
        await provider.close()
        return reply.usage

    with model_server(Text("x" * 4000, tokens=None)) as server:
        usage = asyncio.run(once(server.url("openai-chat")))
    assert usage == meter.usage == Usage(estimated_input(asking("make a beat")), 1000, calls=1, known=False)
    assert (meter.spent, meter.unpriced) == (0.0, Usage())


def test_a_known_model_costs_what_the_list_says() -> None:
    meter = Meter(cap=0.10)

    async def twice(url: str) -> None:
        provider = MeteredProvider(provider_for("anthropic", url, model="claude-sonnet-5-5"), meter, url)
        await heard(provider, asking("make a beat"))
        with pytest.raises(ProviderError) as caught:
            await heard(provider, asking("and another"))
        assert caught.value.fault == "cap"
        await provider.close()

    tokens = Tokens(input=20_000, output=10_000)
    with model_server(Text("a beat", tokens=tokens)) as server:
        asyncio.run(twice(server.url("anthropic")))
        assert len(server.requests) == 1
    assert meter.cost == cost_of("claude-sonnet-5-5", "anthropic", Usage(20_000, 10_000, calls=1))
    assert meter.cost >= 0.10
