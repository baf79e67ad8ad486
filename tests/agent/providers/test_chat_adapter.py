"""Chat Completions at any address: what servers refuse is said otherwise, and what they leave out is made up for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asking import FORM, KEY, asked_of, error_of, events_of, provider_at, query, ran, raw_stream, reply_of
from model_server import Asked, Fails, Insert, Page, Says, Text, model_server
from model_wire_script import Answer, Script
from msgspec.structs import replace

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolResult
from agent.providers.openai_chat import OpenAIChatProvider
from agent.providers.provider import Finished, Query, Reply

END = {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}


def chunk(**delta: Any) -> dict[str, Any]:
    return {"model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def call(name: str | None = None, arguments: Any = None, **more: Any) -> dict[str, Any]:
    return chunk(tool_calls=[{**more, "function": {"name": name, "arguments": arguments}}])


def answered(answer: Script, *queries: Query) -> Reply:
    with model_server(answer) as server:
        return reply_of(provider_at("openai-chat", server.url("openai-chat")), *queries)


def talked(script: Script, *queries: Query) -> tuple[list[Asked], OpenAIChatProvider]:
    with model_server(script) as server:
        provider = OpenAIChatProvider("m", server.url("openai-chat"))
        ran(asked_of(provider, *queries))
        return server.requests, provider


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_form_goes_down_the_ladder_and_stays_there(status: int) -> None:
    def only_plain(asked: Asked) -> Answer:
        wanted = asked.body.get("response_format")
        return Fails(status, f"response_format.type {wanted['type']!r} is unknown") if wanted else Text("{}")

    requests, provider = talked(only_plain, query(form=FORM), query(form=FORM))
    forms = [asked.body.get("response_format") for asked in requests]
    assert forms == [
        {"type": "json_schema", "json_schema": {"name": "plan", "strict": True, "schema": FORM.schema}},
        {"type": "json_object", "schema": FORM.schema}, None, None,
    ]
    assert provider.abilities.forms == "none"


def test_a_form_that_a_server_takes_as_json_only() -> None:
    def llama(asked: Asked) -> Answer:
        wanted = asked.body["response_format"]["type"]
        return Text("{}") if wanted == "json_object" else Fails(500, "Input should be 'text' or 'json_object'")

    _, provider = talked(llama, query(form=FORM))
    assert provider.abilities.forms == "json"


def test_a_form_refused_within_the_stream_goes_down_too() -> None:
    refused = raw_stream({"error": {"message": "failed to parse grammar", "code": 400}})
    assert answered([refused, Text("{}")], query(form=FORM)).text == "{}"


@pytest.mark.parametrize(("field", "message", "instead"), [
    ("stream_options", "Unrecognized request argument: stream_options", None),
    ("max_tokens", "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
     "max_completion_tokens"),
    ("temperature", "Unsupported value: 'temperature' does not support 0.5", None),
])
def test_a_field_that_is_refused_is_said_otherwise_from_then_on(field: str, message: str, instead: str | None) -> None:
    def picky(asked: Asked) -> Answer:
        return Fails(400, message) if field in asked.body else Text("ok")

    requests, _ = talked(picky, query(temperature=0.5), query(temperature=0.5))
    assert [field in asked.body for asked in requests] == [True, False, False]
    assert instead is None or all(instead in asked.body for asked in requests[1:])


def test_a_server_that_refuses_everything_is_asked_a_few_times_only() -> None:
    words = "response_format stream_options max_completion_tokens temperature"
    with model_server(Fails(400, words)) as server:
        asked = query(form=FORM, temperature=0.5)
        error = error_of(provider_at("openai-chat", server.url("openai-chat")), asked)
        assert error.fault == "bad_request"
        assert len(server.requests) == 6


def test_an_error_of_another_kind_is_not_argued_with() -> None:
    with model_server(Fails(401, "response_format needs a key")) as server:
        error_of(provider_at("openai-chat", server.url("openai-chat")), query(form=FORM))
        assert len(server.requests) == 1


def test_a_model_without_tools_is_known_by_its_refusal() -> None:
    async def ask(url: str) -> bool:
        provider = OpenAIChatProvider("m", url)
        with pytest.raises(Exception, match="does not support tools"):
            await events_of(provider)
        await provider.close()
        return provider.abilities.tools

    with model_server(Fails(400, "registry.ollama.ai/library/gemma:2b does not support tools")) as server:
        assert ran(ask(server.url("openai-chat"))) is False
        assert len(server.requests) == 1


@pytest.mark.parametrize("chunks", [
    [call("set_tempo", '{"bpm"', id="a"), call(None, ": 90}", id="a"), call("get_song", "{}", id="b")],
    [call("set_tempo", '{"bpm"'), call(None, ": 90}"), call("get_song", "{}")],
    [call("set_tempo", '{"bpm": 90}', id="a", index=0), call("get_song", "{}", id="b", index=0)],
    [call("set_tempo", {"bpm": 90}, id="a", index=0), call("get_song", {}, id="b", index=1)],
    [call("set_tempo", '{"bpm"', id="", index=0), call("get_song", "", id="", index=1),
     call(None, ": 90}", id="", index=0)],
    [call("set_tempo", '{"bpm"', id="a", index=0), call("set_tempo", ": 90}", id="a", index=0),
     call("get_song", None, id="b", index=1)],
    [call("set_tempo", '{"bpm": 90}', id="same", index=0), call("get_song", "{}", id="same", index=1)],
])
def test_calls_stay_apart_however_a_server_counts_them(chunks: list[dict[str, Any]]) -> None:
    reply = answered(raw_stream(*chunks, END, "[DONE]"))
    assert [(one.name, one.arguments) for one in reply.calls] == [("set_tempo", {"bpm": 90}), ("get_song", {})]
    assert len({one.id for one in reply.calls}) == 2
    assert not reply.usage.known


def test_calls_count_where_the_server_just_says_stop() -> None:
    reply = answered(Says(calls=(("set_tempo", "{}"),), finish="end"))
    assert (reply.finish, len(reply.calls)) == ("tools", 1)


def test_a_reply_with_its_reason_is_whole_even_if_the_server_then_hangs_up() -> None:
    stop = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n'
    broken = Insert(Text("Here it comes"), 13, {"openai-chat": stop + b"data: {nonsense\n\n"}, last=True)
    assert answered(broken).text == "Here it comes"


def test_a_server_that_does_not_stream_is_understood() -> None:
    message = {"content": "whole", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}
    usage = {"prompt_tokens": 3, "completion_tokens": 4}
    whole = {"model": "m", "usage": usage, "choices": [{"finish_reason": "stop", "message": message}]}
    reply = answered(Page(json.dumps(whole, indent=1).encode(), "application/json"))
    assert (reply.text, [one.name for one in reply.calls], reply.usage.total) == ("whole", ["f"], 7)


def test_lines_may_end_in_any_way() -> None:
    lines = b'data: {"choices": [{"delta": {"content": "hi"}}]}'
    stop = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}'
    for end in (b"\n", b"\r\n", b"\r"):
        body = b": hello" + end + lines + end + end + stop + end + end
        assert answered(Page(body, "text/plain")).text == "hi"
    assert answered(Page(lines + b"\n\n" + stop, "")).text == "hi"


@pytest.mark.parametrize(("key", "header"), [(None, None), ("of-this-server", "Bearer of-this-server")])
def test_a_server_gets_its_own_key_or_none_and_nothing_from_the_environment(
    key: str | None, header: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, KEY)
    with model_server(Text("ok")) as server:
        provider = provider_at("openai-chat", server.url("openai-chat"), key=key)
        reply_of(provider)
        headers = server.requests[0].headers
    assert headers.get("authorization") == header
    assert KEY not in str(headers)


def test_thoughts_go_back_in_a_round_of_tools_and_not_later() -> None:
    async def talk(url: str) -> None:
        provider = provider_at("openai-chat", url)
        end = (await events_of(provider))[-1]
        assert isinstance(end, Finished)
        reply = end.reply
        assert reply.text == ""
        turns = (ModelTurn("", reply.calls, reply.kept), ResultsTurn((ToolResult(reply.calls[0].id, "ok"),)))
        await asked_of(provider, query("go", *turns), query("go", *turns, "next"))

    thinking = raw_stream(
        chunk(reasoning_content="I "), chunk(reasoning_content="think"), call("set_tempo", "{}", id="a"), END, "[DONE]"
    )
    with model_server([thinking, Text("one"), Text("two")]) as server:
        ran(talk(server.url("openai-chat")))
        assert [asked.messages[2].get("reasoning_content") for asked in server.requests[1:]] == ["I think", None]


def test_the_window_is_known_where_the_list_of_models_says_it() -> None:
    models = Page(b'{"data": [{"id": "m", "max_model_len": 8192}, {"id": "n"}, {"no": 1}]}', "application/json")
    with model_server(Text("ok"), models=models) as server:
        provider = OpenAIChatProvider("m", server.url("openai-chat"))
        assert ran(provider.models()) == ("m", "n")
    assert provider.abilities.context == 8192


@pytest.mark.parametrize("count", [1, 2])
def test_one_tool_that_must_be_called_is_named(count: int) -> None:
    tools = query().tools[:count]
    requests, _ = talked(Text("ok"), replace(query(tool_choice="any"), tools=tools))
    one = {"type": "function", "function": {"name": tools[0].name}}
    assert requests[0].body["tool_choice"] == (one if count == 1 else "required")
