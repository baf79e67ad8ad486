"""Replies as the Anthropic Messages API streams them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from model_wire_events import Frame, pieces, told
from model_wire_script import Says

_STOPS = {
    "end": "end_turn", "tools": "tool_use", "length": "max_tokens", "context": "model_context_window_exceeded",
    "paused": "pause_turn", "refused": "refusal", "filtered": "refusal", "because": "because",
}


def frames(reply: Says, model: str, size: int, number: int) -> Iterator[Frame]:
    """The whole stream; `number` makes the ids of this reply its own."""
    usage = told(reply)
    counts = {
        "input_tokens": usage.input - usage.cached - usage.written, "output_tokens": 1,
        "cache_read_input_tokens": usage.cached, "cache_creation_input_tokens": usage.written,
    }
    message: dict[str, Any] = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": counts,
    }
    yield _frame("message_start", message=message)
    yield _frame("ping")
    if reply.text:
        yield from _block(0, {"type": "text", "text": ""}, "text_delta", "text", reply.text, size)
    for index, (name, arguments) in enumerate(reply.calls, start=1 if reply.text else 0):
        start = {"type": "tool_use", "id": f"toolu_{number}_{index}", "name": name, "input": {}}
        yield from _block(index, start, "input_json_delta", "partial_json", arguments, size)
    if reply.finish == "unsaid":
        return
    delta = {"stop_reason": _STOPS[reply.finish], "stop_sequence": None}
    yield _frame("message_delta", delta=delta, usage={"output_tokens": usage.output})
    yield _frame("message_stop")


def _block(index: int, start: dict[str, Any], kind: str, field: str, text: str, size: int) -> Iterator[Frame]:
    yield _frame("content_block_start", index=index, content_block=start)
    for piece in pieces(text, size):
        yield _frame("content_block_delta", len(piece), index=index, delta={"type": kind, field: piece})
    yield _frame("content_block_stop", index=index)


def _frame(kind: str, content: int = 0, /, **fields: Any) -> Frame:
    return Frame({"type": kind, **fields}, kind, content)


def error(kind: str, message: str, code: str | None) -> dict[str, Any]:
    """The body of a refusal."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def error_event(kind: str, message: str) -> bytes:
    """A refusal in the middle of a stream."""
    return Frame(error(kind, message, None), "error").wire()


def model_list(names: tuple[str, ...]) -> dict[str, Any]:
    """The models that the server offers."""
    data = [{"type": "model", "id": n, "display_name": n, "created_at": "2026-01-01T00:00:00Z"} for n in names]
    ends = {"first_id": names[0], "last_id": names[-1]} if names else {"first_id": None, "last_id": None}
    return {"data": data, "has_more": False, **ends}
