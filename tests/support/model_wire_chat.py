"""Replies as OpenAI's Chat Completions API and its many likenesses stream them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from model_wire_events import Frame, pieces
from model_wire_script import Says

_STOPS = {
    "end": "stop", "tools": "tool_calls", "length": "length", "context": "length", "paused": "pause",
    "refused": "stop", "filtered": "content_filter", "because": "because",
}


def frames(reply: Says, model: str, size: int, number: int) -> Iterator[Frame]:
    """The whole stream; `number` makes the ids of this reply its own. Usage comes last, in a chunk of its own."""
    head = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1767225600, "model": model}

    def chunk(delta: dict[str, Any], content: int = 0, finish: str | None = None) -> Frame:
        return Frame({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}, None, content)

    yield chunk({"role": "assistant", "content": ""})
    field = "refusal" if reply.finish == "refused" else "content"
    for piece in pieces(reply.text, size):
        yield chunk({field: piece}, len(piece))
    for index, (name, arguments) in enumerate(reply.calls):
        call = {"index": index, "id": f"call_{number}_{index}", "type": "function"}
        yield chunk({"tool_calls": [{**call, "function": {"name": name, "arguments": ""}}]})
        for piece in pieces(arguments, size):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}, len(piece))
    if reply.finish == "unsaid":
        return
    yield chunk({}, 0, _STOPS[reply.finish])
    if (usage := reply.tokens) is not None:
        counts = {
            "prompt_tokens": usage.input, "completion_tokens": usage.output,
            "total_tokens": usage.input + usage.output, "prompt_tokens_details": {"cached_tokens": usage.cached},
        }
        yield Frame({**head, "choices": [], "usage": counts})
    yield Frame("[DONE]")


def error(kind: str, message: str, code: str | None) -> dict[str, Any]:
    """The body of a refusal."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def error_event(kind: str, message: str) -> bytes:
    """A refusal in the middle of a stream."""
    return Frame(error(kind, message, kind)).wire()


def model_list(names: tuple[str, ...]) -> dict[str, Any]:
    """The models that the server offers."""
    data = [{"id": name, "object": "model", "created": 1767225600, "owned_by": "tests"} for name in names]
    return {"object": "list", "data": data}
