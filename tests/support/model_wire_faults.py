"""Everything that can go wrong between a provider and us, as one closed list of names with an answer for each."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Literal, TypeAlias, get_args

import model_wire_anthropic
import model_wire_chat
import model_wire_responses
from model_wire_script import (
    Absent,
    Answer,
    Calls,
    Cut,
    Drop,
    Fails,
    Form,
    Insert,
    Nameless,
    Page,
    Redirect,
    Says,
    Stall,
    Text,
)

FaultName: TypeAlias = Literal[
    # the server refuses
    "bad_request", "wrong_key", "forbidden", "no_such_model", "wrong_path", "too_large", "prompt_too_long",
    "no_credit", "key_echoed", "rate_limit", "rate_limit_1_s", "rate_limit_90_s", "rate_limit_date", "quota",
    "request_timeout", "server_error", "bad_gateway_page", "unavailable", "overloaded",
    # there is no answer, or it is no model's
    "refused_connection", "reset_at_once", "not_http", "redirect", "html_page", "empty_body", "empty_stream",
    "whole_json", "broken_compression",
    # the stream breaks
    "cut_before_text", "cut_mid_text_declared", "cut_mid_text_chunked", "cut_mid_text_closed", "reset_mid_text",
    "cut_mid_call_closed", "cut_mid_call_chunked", "no_stop_reason", "call_without_stop_reason", "stall_at_start",
    "stall_mid_text", "stall_mid_call", "overloaded_mid_stream", "error_mid_call", "bad_json", "bad_utf8",
    "event_of_wrong_shape",
    # the stream is odd
    "unknown_stop_reason", "unknown_event", "nameless_events", "huge_chunk", "no_usage",
    # the model misbehaves, or says why it stopped
    "malformed_arguments", "arguments_no_object", "empty_arguments", "call_cut_by_limit", "unknown_tool",
    "text_cut_by_limit", "context_full", "refusal", "content_filter", "pause", "nothing_said",
]

FAULTS: tuple[FaultName, ...] = get_args(FaultName)

_WORDS = Text("Here are four warm bars for you.")
_CALL = Calls(("create_track", {"name": "Pad", "instrument": "pad_warm"}))
_HUGE = "A warm bar. " * 100_000


def answer_of(fault: FaultName, elsewhere: str = "http://127.0.0.1:9") -> Answer:
    """What the server does. `elsewhere` is the origin that a redirect points to."""
    return (_REFUSALS | _NOT_A_MODEL | _BROKEN | _ODD).get(fault) or _made(fault, elsewhere)


def _made(fault: FaultName, elsewhere: str) -> Answer:
    if fault == "redirect":
        return Redirect(elsewhere)
    if fault == "rate_limit_date":
        later = datetime.now(UTC) + timedelta(seconds=20)
        return Fails(429, "slow down", "rate_limit_error", headers=(("Retry-After", format_datetime(later, True)),))
    raise AssertionError(fault)


def _after(seconds: int) -> tuple[tuple[str, str], ...]:
    return (("Retry-After", str(seconds)),)


_REFUSALS: dict[FaultName, Answer] = {
    "bad_request": Fails(400, "max_tokens: must be positive", "invalid_request_error"),
    "wrong_key": Fails(401, "invalid key", "authentication_error", "invalid_api_key"),
    "forbidden": Fails(403, "not allowed", "permission_error"),
    "no_such_model": Fails(404, "model: no-such-model does not exist", "not_found_error", "model_not_found"),
    "wrong_path": Page(b"<html><body>404 page not found</body></html>", status=404),
    "too_large": Fails(413, "request exceeds the maximum size", "request_too_large"),
    "prompt_too_long": Fails(
        400, "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error", "context_length_exceeded"
    ),
    "no_credit": Fails(400, "Your credit balance is too low to access the API.", "invalid_request_error"),
    "key_echoed": Fails(401, "Incorrect API key provided:", "authentication_error", "invalid_api_key", echo=True),
    "rate_limit": Fails(429, "slow down", "rate_limit_error", "rate_limit_exceeded"),
    "rate_limit_1_s": Fails(429, "slow down", "rate_limit_error", "rate_limit_exceeded", _after(1)),
    "rate_limit_90_s": Fails(429, "slow down", "rate_limit_error", "rate_limit_exceeded", _after(90)),
    "quota": Fails(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota"),
    "request_timeout": Fails(408, "timeout", "timeout_error"),
    "server_error": Fails(500, "internal", "api_error"),
    "bad_gateway_page": Page(b"<html><body>502 Bad Gateway</body></html>", status=502),
    "unavailable": Fails(503, "unavailable", "api_error"),
    "overloaded": Fails(529, "overloaded", "overloaded_error"),
}

_NOT_A_MODEL: dict[FaultName, Answer] = {
    "refused_connection": Absent(),
    "reset_at_once": Drop(),
    "not_http": Drop(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "html_page": Page(b"<!doctype html><html><body>Log in to this network</body></html>"),
    "empty_body": Page(b"", "text/event-stream"),
    "empty_stream": Page(b": keep-alive\n\n", "text/event-stream"),
    "whole_json": Page(json.dumps({"ok": True}).encode(), "application/json"),
    "broken_compression": Page(b"\x1f\x8b no gzip", "text/event-stream", headers=(("Content-Encoding", "gzip"),)),
}

_BAD_JSON = b'event: content_block_delta\ndata: {"type": "content_block_delta", "choices": [}\n\n'
_BAD_UTF8 = b'data: {"type": "ping", "text": "\xff\xfe"}\n\n'


def _same(raw: bytes) -> Insert:
    return Insert(_WORDS, 10, {"anthropic": raw, "openai": raw, "openai-chat": raw})


_OVERLOADED: dict[Form, bytes] = {
    "anthropic": model_wire_anthropic.error_event("overloaded_error", "Overloaded"),
    "openai": model_wire_responses.error_event("server_is_overloaded", "Overloaded"),
    "openai-chat": model_wire_chat.error_event("overloaded_error", "Overloaded"),
}
_ERROR: dict[Form, bytes] = {
    "anthropic": model_wire_anthropic.error_event("api_error", "Internal server error"),
    "openai": model_wire_responses.error_event("server_error", "Internal server error"),
    "openai-chat": model_wire_chat.error_event("server_error", "Internal server error"),
}
_WRONG_SHAPE: dict[Form, bytes] = {
    "anthropic": b'event: content_block_delta\ndata: {"type": "content_block_delta", "index": "x", "delta": 7}\n\n',
    "openai": b'event: response.output_text.delta\ndata: {"type": "response.output_text.delta", "delta": 7}\n\n',
    "openai-chat": b'data: {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": 7}}]}\n\n',
}
_UNKNOWN: dict[Form, bytes] = {
    "anthropic": b'event: weather\ndata: {"type": "weather", "sky": "blue"}\n\n',
    "openai": b'event: response.weather\ndata: {"type": "response.weather", "sky": "blue"}\n\n',
    "openai-chat": b'data: {"id": "x", "object": "weather", "choices": [], "sky": "blue"}\n\n',
}

_BROKEN: dict[FaultName, Answer] = {
    "cut_before_text": Cut(_WORDS, 0, "chunked"),
    "cut_mid_text_declared": Cut(_WORDS, 10, "declared"),
    "cut_mid_text_chunked": Cut(_WORDS, 10, "chunked"),
    "cut_mid_text_closed": Cut(_WORDS, 10, "closed"),
    "reset_mid_text": Cut(_WORDS, 10, "reset"),
    "cut_mid_call_closed": Cut(_CALL, 20, "closed"),
    "cut_mid_call_chunked": Cut(_CALL, 20, "chunked"),
    "no_stop_reason": Says(_WORDS.text, finish="unsaid"),
    "call_without_stop_reason": Says(calls=_CALL.calls, finish="unsaid"),
    "stall_at_start": Stall(_WORDS),
    "stall_mid_text": Stall(_WORDS, 10),
    "stall_mid_call": Stall(_CALL, 20),
    "overloaded_mid_stream": Insert(_WORDS, 10, _OVERLOADED, last=True),
    "error_mid_call": Insert(_CALL, 20, _ERROR, last=True),
    "bad_json": _same(_BAD_JSON),
    "bad_utf8": _same(_BAD_UTF8),
    "event_of_wrong_shape": Insert(_WORDS, 10, _WRONG_SHAPE),
}

_ODD: dict[FaultName, Answer] = {
    "unknown_stop_reason": Text(_WORDS.text, "because"),
    "unknown_event": Insert(_WORDS, 10, _UNKNOWN),
    "nameless_events": Nameless(_WORDS),
    "huge_chunk": Text(_HUGE, delta=len(_HUGE)),
    "no_usage": Text(_WORDS.text, tokens=None),
    "malformed_arguments": Calls(("create_track", '{"name": "Pad", "instrument": pad')),
    "arguments_no_object": Calls(("create_track", '["Pad"]')),
    "empty_arguments": Calls(("get_song", "")),
    "call_cut_by_limit": Calls(("create_track", '{"name": "Pad", "instr'), finish="length"),
    "unknown_tool": Calls(("format_disk", {"disk": "all"})),
    "text_cut_by_limit": Text(_WORDS.text, "length"),
    "context_full": Text(_WORDS.text, "context"),
    "refusal": Text("I cannot help with that.", "refused"),
    "content_filter": Text("I can", "filtered"),
    "pause": Text("One moment.", "paused"),
    "nothing_said": Text(""),
}
