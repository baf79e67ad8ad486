"""Replies as OpenAI's Responses API streams them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import count
from typing import Any

from model_wire_events import Frame, pieces, told
from model_wire_script import Says

_INCOMPLETE = {
    "length": "max_output_tokens", "context": "max_output_tokens", "filtered": "content_filter",
    "paused": "max_messages",
}


def frames(reply: Says, model: str, size: int, number: int) -> Iterator[Frame]:
    """The whole stream, numbered as the service numbers it; `number` makes the ids of this reply its own."""
    places = count()
    for frame in _bare(reply, model, size, number):
        yield Frame({**frame.data, "sequence_number": next(places)}, frame.event, frame.content)


def _bare(reply: Says, model: str, size: int, number: int) -> Iterator[Frame]:
    whole: dict[str, Any] = {
        "id": f"resp_{number}", "object": "response", "created_at": 1767225600, "model": model, "output": [],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "status": "in_progress", "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {}, "usage": None,
    }
    yield _frame("response.created", response=whole)
    yield _frame("response.in_progress", response=whole)
    output: list[dict[str, Any]] = []
    if reply.text:
        item = yield from _message(reply, size, f"msg_{number}")
        output.append(item)
    for name, arguments in reply.calls:
        place = len(output)
        item = yield from _call(name, arguments, size, place, f"{number}_{place}")
        output.append(item)
    if reply.finish == "unsaid":
        return
    reason = _INCOMPLETE.get(reply.finish)
    status = "incomplete" if reason else "because" if reply.finish == "because" else "completed"
    details = {"reason": reason} if reason else None
    end = {**whole, "output": output, "status": status, "incomplete_details": details, "usage": _usage(reply)}
    yield _frame("response.incomplete" if reason else "response.completed", response=end)


def _message(reply: Says, size: int, name: str) -> Generator[Frame, None, dict[str, Any]]:
    kind, field = ("refusal", "refusal") if reply.finish == "refused" else ("output_text", "text")
    place: dict[str, Any] = {"item_id": name, "output_index": 0, "content_index": 0}
    item = {"id": name, "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    empty: dict[str, Any] = {"type": kind, field: ""} | ({} if kind == "refusal" else {"annotations": []})
    yield _frame("response.output_item.added", output_index=0, item=item)
    yield _frame("response.content_part.added", **place, part=empty)
    for piece in pieces(reply.text, size):
        yield _frame(f"response.{kind}.delta", len(piece), **place, delta=piece, logprobs=[])
    part = empty | {field: reply.text}
    done = {**item, "status": "completed", "content": [part]}
    yield _frame(f"response.{kind}.done", **place, **{field: reply.text})
    yield _frame("response.content_part.done", **place, part=part)
    yield _frame("response.output_item.done", output_index=0, item=done)
    return done


def _call(name: str, arguments: str, size: int, place: int, ident: str) -> Generator[Frame, None, dict[str, Any]]:
    item = {"id": f"fc_{ident}", "type": "function_call", "call_id": f"call_{ident}", "name": name}
    where: dict[str, Any] = {"item_id": item["id"], "output_index": place}
    begun = {**item, "arguments": "", "status": "in_progress"}
    yield _frame("response.output_item.added", output_index=place, item=begun)
    for piece in pieces(arguments, size):
        yield _frame("response.function_call_arguments.delta", len(piece), **where, delta=piece)
    yield _frame("response.function_call_arguments.done", **where, name=name, arguments=arguments)
    done = {**item, "arguments": arguments, "status": "completed"}
    yield _frame("response.output_item.done", output_index=place, item=done)
    return done


def _usage(reply: Says) -> dict[str, Any] | None:
    if reply.tokens is None:
        return None
    usage = told(reply)
    return {
        "input_tokens": usage.input, "output_tokens": usage.output, "total_tokens": usage.input + usage.output,
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.written},
        "output_tokens_details": {"reasoning_tokens": 0},
    }


def _frame(kind: str, content: int = 0, /, **fields: Any) -> Frame:
    return Frame({"type": kind, **fields}, kind, content)


def error_event(kind: str, message: str) -> bytes:
    """A refusal in the middle of a stream."""
    data = {"type": "error", "code": kind, "message": message, "param": None, "sequence_number": 9}
    return Frame(data, "error").wire()
