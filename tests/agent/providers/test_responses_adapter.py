"""OpenAI's own: nothing stored, sealed thoughts, strict forms where they fit, ends of every kind."""

from __future__ import annotations

from typing import Any

import pytest
from asking import FORM, asked_of, error_of, provider_at, query, ran, raw_stream, reply_of
from model_server import Answer, Asked, Fails, Page, Text, model_server

from agent.conversation.messages import ModelTurn, ResultsTurn, ToolResult
from agent.providers.errors import Fault
from agent.providers.provider import OutputForm, Query, Reply, ToolOffer
from agent.providers.schemas import fits_strict


def sent(one: Query, *, model: str = "model-one") -> Asked:
    with model_server(Text("ok")) as server:
        ran(asked_of(provider_at("openai", server.url("openai"), model=model), one))
        return server.requests[-1]


def answered(page: Page) -> Reply:
    with model_server(page) as server:
        return reply_of(provider_at("openai", server.url("openai")))


def ended(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}", "response": {"model": "m", "status": kind, "output": [], **more}}


def items(*done: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        event
        for place, item in enumerate(done)
        for event in (
            {"type": "response.output_item.added", "output_index": place, "item": {**item, "arguments": ""}},
            {"type": "response.output_item.done", "output_index": place, "item": item},
        )
    ]


REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"}
COMMENT = {"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "Let me see."}]}
CALL = {"type": "function_call", "call_id": "call_1", "name": "set_tempo", "arguments": '{"bpm": 90}'}


def test_nothing_is_stored_and_thoughts_are_asked_for_sealed() -> None:
    body = sent(query(temperature=0.5, max_tokens=3)).body
    assert body["store"] is False
    assert body["include"] == ["reasoning.encrypted_content"]
    assert body["max_output_tokens"] == 16
    assert "temperature" not in body


def test_only_a_schema_that_fits_is_held_to_strictly() -> None:
    closed = ToolOffer("closed", "", FORM.schema)
    body = sent(query(form=FORM, tools=(closed, ToolOffer("open", "", {"type": "object", "properties": {}})))).body
    assert body["text"]["format"]["strict"] is True
    assert [tool["strict"] for tool in body["tools"]] == [True, False]
    loose = OutputForm("plan", {**FORM.schema, "required": ["title"]})
    assert sent(query(form=loose)).body["text"]["format"]["strict"] is False


@pytest.mark.parametrize("inner", [
    {"type": "object", "properties": {"a": {}}, "required": [], "additionalProperties": False},
    {"type": "object", "additionalProperties": True}, {"oneOf": []}, True,
    {"type": "array", "items": {"type": "object"}}, {"anyOf": [{"type": "object"}]},
])
def test_a_schema_that_is_open_somewhere_inside_is_not_strict(inner: Any) -> None:
    schema = {"type": "object", "properties": {"x": inner}, "required": ["x"], "additionalProperties": False}
    assert not fits_strict(schema)
    assert fits_strict({**schema, "properties": {"x": {"type": "string"}}})


def test_sealed_thoughts_and_phases_go_back_in_their_places() -> None:
    reply = answered(raw_stream(*items(REASONING, COMMENT, CALL), ended("completed")))
    assert (reply.text, reply.finish, reply.calls[0].arguments) == ("Let me see.", "tools", {"bpm": 90})
    turn = ModelTurn(reply.text, reply.calls, reply.kept)
    talk = query("go", turn, ResultsTurn((ToolResult("call_1", "ok"),)))
    assert sent(talk).messages[1:] == [
        REASONING, {"role": "assistant", "content": "Let me see.", "phase": "commentary"}, CALL,
        {"type": "function_call_output", "call_id": "call_1", "output": "ok"},
    ]
    assert REASONING not in sent(talk, model="model-two").messages


def test_thoughts_without_a_seal_are_not_kept() -> None:
    reply = answered(raw_stream(*items({**REASONING, "encrypted_content": None}, COMMENT), ended("completed")))
    assert not any("part" in entry for entry in reply.kept)


def test_a_model_that_cannot_seal_is_asked_without_from_then_on() -> None:
    refusal = Fails(400, "Encrypted content is not supported with this model.", "invalid_request_error")
    with model_server([refusal, Text("one"), Text("two")]) as server:
        replies = ran(asked_of(provider_at("openai", server.url("openai")), query(), query()))
        assert [reply.text for reply in replies] == ["one", "two"]
        assert ["include" in asked.body for asked in server.requests] == [True, False, False]


def test_an_answer_that_was_not_streamed_comes_with_the_end() -> None:
    end = ended("completed", output=[COMMENT, CALL], usage={"input_tokens": 5, "output_tokens": 6})
    reply = answered(raw_stream(end))
    assert (reply.text, [call.name for call in reply.calls]) == ("Let me see.", ["set_tempo"])
    assert (reply.usage.input, reply.usage.output, reply.usage.known) == (5, 6, True)


@pytest.mark.parametrize(("end", "fault"), [
    (ended("failed", error={"code": "server_error", "message": "sorry"}), "server"),
    (ended("failed", error={"code": "rate_limit_exceeded", "message": "slow"}), "rate_limit"),
    (ended("failed", error={"code": "bio_policy", "message": "no"}), "refused"),
    (ended("failed", error=None), "server"),
    (ended("cancelled"), "cut_off"),
    (ended("incomplete", incomplete_details={"reason": "steered"}), "cut_off"),
    (ended("incomplete"), "cut_off"),
    (ended("completed", status="in_progress"), "cut_off"),
    ({"type": "error", "code": "context_length_exceeded", "message": "long"}, "context_full"),
    ({"type": "error", "message": "This model's maximum context length is 8192 tokens"}, "context_full"),
])
def test_an_end_that_is_none_is_an_error(end: dict[str, Any], fault: Fault) -> None:
    script: Answer = raw_stream(*items(COMMENT, CALL), end)
    with model_server(script) as server:
        assert error_of(provider_at("openai", server.url("openai"))).fault == fault
