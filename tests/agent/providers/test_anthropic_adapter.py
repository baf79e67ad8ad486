"""Anthropic's own: caching, forms, thoughts that go back as they came, pauses, roles in turn."""

from __future__ import annotations

from typing import Any

from asking import FORM, asked_of, error_of, provider_at, query, ran, raw_stream, reply_of
from model_server import Asked, Page, Text, Tokens, model_server
from msgspec.structs import replace

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolCall, ToolResult
from agent.providers.provider import Query, Reply, Usage
from agent.providers.schemas import for_anthropic


def sent(*queries: Query, answer: Page | None = None, model: str = "model-one") -> Asked:
    with model_server(answer or Text("ok")) as server:
        ran(asked_of(provider_at("anthropic", server.url("anthropic"), model=model), *queries))
        return server.requests[-1]


def message(*blocks: tuple[dict[str, Any], list[dict[str, Any]]], stop: str) -> Page:
    events: list[dict[str, Any]] = [{"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 3}}}]
    for index, (start, deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    events.append({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 5}})
    return raw_stream(*events, {"type": "message_stop"})


def thought(*pieces: str, signature: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    deltas: list[dict[str, Any]] = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
    return {"type": "thinking", "thinking": "", "signature": ""}, [
        *deltas, {"type": "signature_delta", "signature": signature},
    ]


def words(text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return {"type": "text", "text": ""}, [{"type": "text_delta", "text": text}]


def use(id_: str, name: str, raw: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    deltas = [{"type": "input_json_delta", "partial_json": raw}]
    return {"type": "tool_use", "id": id_, "name": name, "input": {}}, deltas


def answered(page: Page) -> Reply:
    with model_server(page) as server:
        return reply_of(provider_at("anthropic", server.url("anthropic")))


def turn_of(reply: Reply) -> ModelTurn:
    return ModelTurn(reply.text, reply.calls, reply.kept)


def test_the_system_part_and_the_tools_are_cached_and_no_temperature_is_sent() -> None:
    body = sent(query(temperature=0.3)).body
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert ["cache_control" in tool for tool in body["tools"]] == [False, True]
    assert "temperature" not in body


def test_a_form_is_sent_as_the_api_takes_it() -> None:
    schema = sent(query(form=FORM)).body["output_config"]["format"]["schema"]
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["title", "bars"]
    assert "minimum" not in schema["properties"]["bars"]


def test_a_list_of_types_becomes_a_choice_and_a_strange_form_is_left_out() -> None:
    row = {"type": ["object", "null"], "properties": {"type": {"type": ["string", "integer"]}}, "required": ["type"]}
    told = for_anthropic({"type": "object", "properties": {"row": row}})
    assert told is not None
    first, second = told["properties"]["row"]["anyOf"]
    assert first["properties"]["type"]["anyOf"] == [{"type": "string"}, {"type": "integer"}]
    assert second == {"type": "null"}
    assert for_anthropic({"type": "object", "properties": {"anything": {}}}) is None


def test_all_that_was_read_counts_as_input() -> None:
    with model_server(Text("ok", tokens=Tokens(100, 7, cached=60, written=30))) as server:
        reply = reply_of(provider_at("anthropic", server.url("anthropic")))
    assert reply.usage == Usage(100, 7, 60, 30, 1)


def test_thoughts_go_back_as_they_came_and_where_they_stood() -> None:
    page = message(
        thought("I ", "think", signature="s1"), words("First"), ({"type": "redacted_thinking", "data": "x"}, []),
        use("toolu_1", "set_tempo", '{"bpm": 90}'), stop="tool_use",
    )
    reply = answered(page)
    assert (reply.text, reply.finish) == ("First", "tools")
    results = ResultsTurn((ToolResult("toolu_1", "ok"),))
    blocks = sent(query("go", turn_of(reply), results)).messages[1]["content"]
    assert blocks == [
        {"type": "thinking", "thinking": "I think", "signature": "s1"},
        {"type": "text", "text": "First"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "tool_use", "id": "toolu_1", "name": "set_tempo", "input": {"bpm": 90}},
    ]


def test_thoughts_go_back_beside_words_and_calls_that_were_changed_since() -> None:
    reply = answered(message(
        thought("hm", signature="s"), words("Long words"), use("t1", "set_tempo", "{}"), use("t2", "set_tempo", "{}"),
        stop="tool_use",
    ))
    turn = replace(turn_of(reply), text="Short", calls=(reply.calls[1], ToolCall("t3", "create_track", {})))
    blocks = sent(query("go", turn)).messages[1]["content"]
    assert [block["type"] for block in blocks] == ["thinking", "text", "tool_use", "tool_use"]
    assert blocks[1]["text"] == "Short"
    assert [block["id"] for block in blocks[2:]] == ["t2", "t3"]


def test_another_model_does_not_get_these_thoughts() -> None:
    reply = answered(message(thought("hm", signature="s"), words("Yes"), stop="end_turn"))
    blocks = sent(query("go", turn_of(reply), "on"), model="model-two").messages[1]["content"]
    assert blocks == [{"type": "text", "text": "Yes"}]


def test_a_pause_is_gone_on_from_with_what_there_was() -> None:
    search = {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}}
    deltas = [{"type": "input_json_delta", "partial_json": part} for part in ('{"query": ', '"lofi"}')]
    reply = answered(message((search, deltas), stop="pause_turn"))
    assert (reply.finish, reply.calls) == ("paused", ())
    last = sent(query("go", turn_of(reply))).messages[-1]
    assert last == {"role": "assistant", "content": [{**search, "input": {"query": "lofi"}}]}


def test_roles_take_turns_with_results_first_and_empty_words_left_out() -> None:
    call = ToolCall("toolu_1", "set_tempo", {})
    results = ResultsTurn((ToolResult("toolu_1", "ok"),))
    talk = query("one", "two", ModelTurn(""), ModelTurn("", (call,)), "typed", results, " ")
    messages = sent(talk).messages
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert [block["type"] for block in messages[2]["content"]] == ["tool_result", "text"]


def test_a_reason_without_the_end_of_the_message_is_not_enough() -> None:
    whole = message(words("Yes"), stop="end_turn")
    cut = Page(whole.body.rpartition(b"data:")[0], whole.content_type)
    with model_server(cut) as server:
        assert error_of(provider_at("anthropic", server.url("anthropic"))).fault == "cut_off"


def test_a_whole_input_in_the_first_event_counts() -> None:
    start = {"type": "tool_use", "id": "t", "name": "set_tempo", "input": {"bpm": 84}}
    assert answered(message((start, []), stop="tool_use")).calls[0].arguments == {"bpm": 84}
