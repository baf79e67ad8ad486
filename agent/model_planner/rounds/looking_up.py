"""Answering a model's questions while it plans: read-only tools on the song as it stands."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from agent.conversation.messages import ToolCall, ToolResult
from agent.errors import BandleaderError
from agent.model_planner.prompt.data_block import inert
from agent.providers.provider import BadCall, Reply
from agent.services.registry import Registry
from agent.services.service import Call, Origin, foreseen
from agent.song.song import Song

_MOST = 24_000
_MOST_CALLS = 32


def looked_up(reply: Reply, offered: Collection[str], registry: Registry, song: Song) -> tuple[ToolResult, ...]:
    """A result for every tool call of the reply, in order. A call that fails, or of a tool not offered, gets its error
    as result."""
    good = [_result(place, call, offered, registry, song) for place, call in enumerate(reply.calls)]
    return (*good, *(_refused(call) for call in reply.bad_calls))


def _result(place: int, call: ToolCall, offered: Collection[str], registry: Registry, song: Song) -> ToolResult:
    if call.name not in offered:
        names = ", ".join(sorted(offered))
        why = "there is no such tool to read with; changes are rows of the plan"
        return ToolResult(call.id, f"{inert(call.name)[:60]}: {why}. You may use: {names}", failed=True)
    if place >= _MOST_CALLS:
        return ToolResult(call.id, f"not answered: at most {_MOST_CALLS} calls in one turn", failed=True)
    try:
        # `foreseen` has no effect whatever the service is; only tools without one are offered besides.
        outcome = foreseen(registry.owner(call.name), Call(call.name, call.arguments, song, Origin("", "planning")))
    except BandleaderError as problem:
        told = ". ".join(part for part in (str(problem), problem.advice) if part)
        return ToolResult(call.id, inert(told), failed=True)
    text = inert(msgspec.json.encode(outcome.result).decode())
    if len(text) > _MOST:
        text = f"{text[:_MOST]} … ({len(text) - _MOST:,} characters left out: ask for less)"
    return ToolResult(call.id, text)


def _refused(call: BadCall) -> ToolResult:
    return ToolResult(call.id, f"the arguments are no JSON object: {inert(call.why)[:200]}", failed=True)
