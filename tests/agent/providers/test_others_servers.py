"""The adapters, through the real SDKs, understand and are understood by model servers that others wrote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from model_providers import OFFERS, asking, heard, provider_for
from model_wire_script import FORMS, Form
from others_servers import Other, aimock, llm_mock_api

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult, Turn
from agent.providers.errors import ProviderError
from agent.providers.provider import CallBegun, CallPart, Query, Reply, ReplyEvent, Restarted, RetryWait, TextPart
from agent.providers.retrying import RetryingProvider

PLAN = json.dumps({"analysis": "Sixty bars, “warm” und weich.", "steps": [
    {"id": f"s{n}", "tool": "create_track", "inputs": {"name": f"Pad {n}", "instrument": "pad_warm"}} for n in range(60)
]}, ensure_ascii=False)

TEXTS = {"say hello": "Hello! Four bars of a warm pad, und dann Stille – 静けさ.", "write a plan": PLAN}
"""What is answered to which words."""

PAD = {"name": "Pad", "instrument": "pad_warm"}
CALLS: dict[str, list[tuple[str, str, dict[str, Any]]]] = {
    "make a track": [("call_alone", "create_track", PAD)],
    "make a beat": [("call_left", "create_track", PAD), ("call_right", "set_tempo", {"bpm": 92})],
    "go step by step": [("call_first", "create_track", PAD)],
}
"""The calls, by their id, that are answered to which words."""

RESULTS: dict[str, str | list[tuple[str, str, dict[str, Any]]]] = {
    "call_alone": "The track is there.",
    "call_right": "Both are done.",
    "call_first": [("call_second", "set_tempo", {"bpm": 92})],
    "call_second": "Two steps are done.",
}
"""What follows the result of which call."""


def fixtures(path: Path) -> Path:
    """The same for aimock, and the faults that it can play."""

    def calls(wanted: list[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        return {"toolCalls": [{"id": id_, "name": name, "arguments": given} for id_, name, given in wanted]}

    def said(text: str) -> dict[str, Any]:
        return {"content": text}

    def answer(then: str | list[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
        return said(then) if isinstance(then, str) else calls(then)

    def fixture(match: dict[str, Any], response: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"match": match, "response": response, **more}

    refusal = {"error": {"message": "Rate limited", "type": "rate_limit_error"}, "status": 429}
    overload = {"error": {"message": "Overloaded", "type": "overloaded_error"}, "status": 529}
    all_of_it = [
        *(fixture({"toolCallId": id_}, answer(then)) for id_, then in RESULTS.items()),
        *(fixture({"userMessage": words}, said(text)) for words, text in TEXTS.items()),
        *(fixture({"userMessage": words}, calls(wanted)) for words, wanted in CALLS.items()),
        fixture({"userMessage": "be limited", "sequenceIndex": 0}, refusal),
        fixture({"userMessage": "be limited", "sequenceIndex": 1}, said("Here again.")),
        fixture({"userMessage": "be full"}, overload),
        fixture({"userMessage": "be cut"}, said("x" * 400), truncateAfterChunks=6),
        fixture({"userMessage": "be short"}, {"content": "As far as it", "finishReason": "length"}),
    ]
    path.write_text(json.dumps({"fixtures": all_of_it}))
    return path


def configure(server: Any) -> None:
    """The same for llm-mock-api."""
    api = pytest.importorskip("llm_mock_api")

    def calls(wanted: list[tuple[str, str, dict[str, Any]]]) -> Any:
        return api.ReplyObject(tools=[api.ToolCall(id=id_, name=name, args=given) for id_, name, given in wanted])

    for id_, then in RESULTS.items():
        server.when_tool_result(id_).reply(then if isinstance(then, str) else calls(then))
    for words, text in TEXTS.items():
        server.when(words).reply(text)
    for words, wanted in CALLS.items():
        server.when(words).reply(calls(wanted))
    server.when("be full").reply(api.ReplyObject(error=api.ErrorReply(529, "Overloaded", "overloaded_error")))
    server.when("be unknown").reply(api.ReplyObject(error=api.ErrorReply(401, "no such key")))


@pytest.fixture(scope="module")
def cutting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Other]:
    """aimock, which can break what it sends."""
    with aimock(fixtures(tmp_path_factory.mktemp("aimock") / "fixtures.json")) as server:
        yield server


@pytest.fixture(scope="module")
def steady() -> Iterator[Other]:
    """llm-mock-api, which cannot."""
    with llm_mock_api(configure) as server:
        yield server


@pytest.fixture(params=["cutting", "steady"], ids=["aimock", "llm-mock-api"])
def other(request: pytest.FixtureRequest) -> Other:
    server: Other = request.getfixturevalue(request.param)
    return server


def replied(other: Other, form: Form, query: Query) -> tuple[list[ReplyEvent], Reply]:
    async def once() -> tuple[list[ReplyEvent], Reply]:
        provider = provider_for(form, other.url(form))
        try:
            return await heard(provider, query)
        finally:
            await provider.close()

    return asyncio.run(once())


def failed(other: Other, form: Form, words: str) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        replied(other, form, asking(words))
    return caught.value


def expected(words: str) -> list[tuple[str, dict[str, Any]]]:
    return [(name, given) for _, name, given in CALLS[words]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", TEXTS)
def test_a_text_streams_and_arrives_whole(words: str, form: Form, other: Other) -> None:
    events, reply = replied(other, form, asking(words, OFFERS))
    parts = [event.text for event in events if isinstance(event, TextPart)]
    assert parts
    assert "".join(parts) == reply.text == TEXTS[words]
    assert (reply.finish, reply.calls) == ("end", ())
    assert reply.usage.calls == 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", ["make a track", "make a beat"])
def test_calls_one_or_several_come_in_order_with_their_arguments(words: str, form: Form, other: Other) -> None:
    events, reply = replied(other, form, asking(words, OFFERS))
    assert reply.finish == "tools"
    assert [(call.name, call.arguments) for call in reply.calls] == expected(words)
    assert reply.bad_calls == ()
    begun = [event for event in events if isinstance(event, CallBegun)]
    assert [(event.index, event.name) for event in begun] == [(n, name) for n, (name, _) in enumerate(expected(words))]
    for place, (_, given) in enumerate(expected(words)):
        raw = "".join(event.text for event in events if isinstance(event, CallPart) and event.index == place)
        assert json.loads(raw) == given


def answered(turns: tuple[Turn, ...], reply: Reply) -> tuple[Turn, ...]:
    """The talk with the reply and the results of all its calls."""

    def result(call: ToolCall) -> ToolResult:
        return ToolResult(call.id, json.dumps({"done": call.name}))

    return (*turns, ModelTurn(reply.text, reply.calls, reply.kept), ResultsTurn(tuple(map(result, reply.calls))))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("words", "rounds", "last"),
    [("make a track", 1, "The track is there."), ("make a beat", 1, "Both are done."),
     ("go step by step", 2, "Two steps are done.")],
)
def test_results_go_back_and_the_talk_goes_on(words: str, rounds: int, last: str, form: Form, other: Other) -> None:
    query = asking(words, OFFERS)
    for _ in range(rounds):
        _, reply = replied(other, form, query)
        assert reply.finish == "tools"
        query = msgspec.structs.replace(query, turns=answered(query.turns, reply))
    _, reply = replied(other, form, query)
    assert (reply.text, reply.finish, reply.calls) == (last, "end", ())


@pytest.mark.parametrize("form", FORMS)
def test_an_overloaded_server_is_said_to_be_so(form: Form, other: Other) -> None:
    error = failed(other, form, "be full")
    assert (error.fault, error.transient) == ("overloaded", True)


@pytest.mark.parametrize("form", FORMS)
def test_a_stream_that_they_cut_is_never_taken_for_whole(form: Form, cutting: Other) -> None:
    assert failed(cutting, form, "be cut").fault in ("cut_off", "network")


@pytest.mark.parametrize("form", ["anthropic", "openai-chat"])
def test_a_reply_that_they_end_at_its_limit_is_truncated(form: Form, cutting: Other) -> None:
    _, reply = replied(cutting, form, asking("be short"))
    assert (reply.finish, reply.truncated, reply.text) == ("length", True, "As far as it")


def test_a_reply_that_is_called_complete_and_incomplete_at_once_is_not_whole(cutting: Other) -> None:
    """aimock ends such a response by `response.completed`, with the status `incomplete` and no reason in it."""
    assert failed(cutting, "openai", "be short").fault == "cut_off"


def test_a_limit_of_theirs_is_waited_for_and_then_passed(cutting: Other) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def patiently() -> list[ReplyEvent]:
        provider = RetryingProvider(provider_for("anthropic", cutting.url("anthropic")), sleep=sleep)
        events, _ = await heard(provider, asking("be limited"))
        await provider.close()
        return events

    events = asyncio.run(patiently())
    assert any(isinstance(event, RetryWait) for event in events)
    assert Restarted() in events
    assert slept
    assert "".join(event.text for event in events if isinstance(event, TextPart)) == "Here again."


@pytest.mark.parametrize("form", FORMS)
def test_what_they_received_is_what_was_asked(form: Form, cutting: Other) -> None:
    words = f"say hello to {form}"
    replied(cutting, form, asking(words, OFFERS))
    bodies = [entry["body"] for entry in cutting.journal() if words in json.dumps(entry["body"])]
    assert len(bodies) == 1
    seen = json.dumps(bodies[0])
    assert "You write music." in seen
    assert '"create_track"' in seen
    assert bodies[0]["stream"] is True
