"""What the adapters send is what a scripted server reads, whatever form it came in; so scripts can rely on it."""

from __future__ import annotations

import asyncio
import threading

import pytest
from model_providers import KEY, OFFERS, asking, heard, provider_for
from model_server import FORMS, Answer, Asked, Calls, Form, Stall, Text, Tokens, model_server
from msgspec.structs import replace

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, UserTurn
from agent.providers.errors import ProviderError
from agent.providers.provider import Query, Reply, TextPart

TALK = replace(
    asking("make a beat", OFFERS),
    turns=(
        UserTurn("make a beat"),
        ModelTurn(
            "Two steps.", (ToolCall("c1", "create_track", {"name": "Pad"}), ToolCall("c2", "set_tempo", {"bpm": 9}))
        ),
        ResultsTurn((ToolResult("c1", "made t1"), ToolResult("c2", "too slow", failed=True))),
        UserTurn("and now?"),
    ),
)


def reply_to(form: Form, url: str, query: Query) -> Reply:
    async def once() -> Reply:
        provider = provider_for(form, url, model="the-model")
        try:
            return (await heard(provider, query))[1]
        finally:
            await provider.close()

    return asyncio.run(once())


@pytest.mark.parametrize("form", FORMS)
def test_every_part_of_a_query_reaches_the_server(form: Form) -> None:
    with model_server(Text("ok")) as server:
        reply_to(form, server.url(form), TALK)
    asked = server.requests[0]
    assert (asked.form, asked.key, asked.model) == (form, KEY, "the-model")
    assert asked.system == "You write music."
    assert asked.last_words == "and now?"
    assert asked.tools == ["create_track", "set_tempo"]
    made, slow = asked.results
    assert made == "made t1"
    assert slow.endswith("too slow"), "where the API has no mark for a failure, words before it say so"


@pytest.mark.parametrize("form", FORMS)
def test_usage_is_read_with_what_the_cache_gave(form: Form) -> None:
    with model_server(Text("ok", tokens=Tokens(input=1000, output=20, cached=800))) as server:
        usage = reply_to(form, server.url(form), asking("hi")).usage
    assert (usage.input, usage.output, usage.cached, usage.calls, usage.known) == (1000, 20, 800, 1, True)


@pytest.mark.parametrize("form", FORMS)
def test_a_script_may_look_at_what_is_asked(form: Form) -> None:
    def script(asked: Asked) -> Answer:
        return Text(f"it is {asked.results[-1]}") if asked.results else Calls(("set_tempo", {"bpm": 92}), text="Wait.")

    with model_server(script) as server:
        first = reply_to(form, server.url(form), asking("faster", OFFERS))
        assert (first.text, [call.arguments for call in first.calls]) == ("Wait.", [{"bpm": 92}])
        results = ResultsTurn((ToolResult(first.calls[0].id, "92 bpm"),))
        turns = (UserTurn("faster"), ModelTurn(first.text, first.calls, first.kept), results)
        assert reply_to(form, server.url(form), replace(TALK, turns=turns)).text == "it is 92 bpm"


def test_a_script_that_fails_fails_the_test() -> None:
    def script(asked: Asked) -> Answer:
        raise LookupError("not in the script")

    def ask() -> None:
        with model_server(script) as server, pytest.raises(ProviderError, match="script failed"):
            reply_to("anthropic", server.url("anthropic"), asking("hi"))

    with pytest.raises(LookupError, match="not in the script"):
        ask()


@pytest.mark.parametrize("form", FORMS)
def test_a_reply_can_be_held_until_the_test_has_looked(form: Form) -> None:
    go_on = threading.Event()

    async def look(url: str) -> str:
        provider = provider_for(form, url)
        text = ""
        async for event in provider.reply(asking("hi")):
            if isinstance(event, TextPart):
                text += event.text
                if not go_on.is_set():
                    assert text != "the first and the last"
                    go_on.set()
        await provider.close()
        return text

    with model_server(Stall(Text("the first and the last"), 9, until=go_on)) as server:
        assert asyncio.run(look(server.url(form))) == "the first and the last"
