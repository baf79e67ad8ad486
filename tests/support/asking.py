"""Ask a provider over the loopback and gather what it streams."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from awaiting import result_of
from model_wire_script import Form, Page
from patience import PATIENCE

from agent.conversation.messages import Turn, UserTurn
from agent.providers.errors import ProviderError
from agent.providers.making import make_provider
from agent.providers.provider import Finished, OutputForm, Provider, Query, Reply, ReplyEvent, ToolOffer

KEY = "sk-canary-4f7d21c09ab8e653"
TOOLS = (
    ToolOffer("create_track", "Add a track.", {"type": "object", "properties": {"name": {"type": "string"}}}),
    ToolOffer("set_tempo", "Set the tempo.", {"type": "object", "properties": {"bpm": {"type": "integer"}}}),
)
FORM = OutputForm("plan", {
    "type": "object", "additionalProperties": False, "required": ["title", "bars"],
    "properties": {"title": {"type": "string"}, "bars": {"type": "integer", "minimum": 1}},
})

Value = TypeVar("Value")


def ran(work: Coroutine[Any, Any, Value]) -> Value:
    """Run it in a loop of its own, and not for ever."""
    return result_of(asyncio.wait_for(work, PATIENCE))


def provider_at(form: Form, url: str, *, model: str = "model-one", key: str | None = KEY, idle: float = 30) -> Provider:
    """A provider of the real SDK that talks to the loopback."""
    return make_provider(form, model, key=key, base_url=url, idle=idle)


def query(*turns: Turn | str, **more: Any) -> Query:
    """A query with these turns; words are the person's."""
    said = tuple(UserTurn(turn) if isinstance(turn, str) else turn for turn in turns or ("make a beat",))
    return Query(**{"system": "You plan music.", "turns": said, "tools": TOOLS, **more})


async def events_of(provider: Provider, asked: Query | None = None) -> list[ReplyEvent]:
    """All that comes."""
    return [event async for event in provider.reply(asked or query())]


async def asked_of(provider: Provider, *queries: Query) -> list[Reply]:
    """The replies to these queries, one after the other; the provider is closed."""
    replies: list[Reply] = []
    try:
        for one in queries or (query(),):
            end = (await events_of(provider, one))[-1]
            assert isinstance(end, Finished)
            replies.append(end.reply)
    finally:
        await provider.close()
    return replies


def reply_of(provider: Provider, *queries: Query) -> Reply:
    """The last of the replies to these queries."""
    return ran(asked_of(provider, *queries))[-1]


def error_of(provider: Provider, *queries: Query) -> ProviderError:
    """The error that a query ends in."""
    try:
        ran(asked_of(provider, *queries))
    except ProviderError as error:
        return error
    raise AssertionError("it gave a reply")


def raw_stream(*events: dict[str, Any] | str) -> Page:
    """A stream of exactly these events."""
    lines: Iterable[str] = (one if isinstance(one, str) else json.dumps(one) for one in events)
    return Page("".join(f"data: {line}\n\n" for line in lines).encode(), "text/event-stream")
