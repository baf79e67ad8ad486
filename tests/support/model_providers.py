"""The real adapters, each pointed at a server of the tests, with a key that must never be seen."""

from __future__ import annotations

from model_wire_script import Form

from agent.conversation.messages import UserTurn
from agent.providers.anthropic import AnthropicProvider
from agent.providers.openai_chat import OpenAIChatProvider
from agent.providers.openai_responses import OpenAIProvider
from agent.providers.provider import Finished, Provider, Query, Reply, ReplyEvent, ToolOffer

KEY = "sk-canary-5e1d0b7c94f24a6f8c3b2d9e7a60f1c4"

OFFERS = (
    ToolOffer(
        "create_track", "Adds a track.",
        {
            "type": "object", "required": ["name", "instrument"], "additionalProperties": False,
            "properties": {"name": {"type": "string"}, "instrument": {"type": "string"}},
        },
    ),
    ToolOffer(
        "set_tempo", "Sets the tempo.",
        {
            "type": "object", "required": ["bpm"], "additionalProperties": False,
            "properties": {"bpm": {"type": "number"}},
        },
    ),
)


def provider_for(
    form: Form, url: str, *, model: str = "any-model", idle: float = 20.0, longest: float = 600.0
) -> Provider:
    """The adapter of this form. `idle`: the longest silence in seconds, `longest`: the longest answer."""
    if form == "anthropic":
        return AnthropicProvider(model, KEY, url, idle=idle, longest=longest)
    if form == "openai":
        return OpenAIProvider(model, KEY, url, idle=idle, longest=longest)
    return OpenAIChatProvider(model, url, KEY, idle=idle, longest=longest)


def asking(words: str, tools: tuple[ToolOffer, ...] = ()) -> Query:
    """A first question."""
    return Query("You write music.", (UserTurn(words),), tools, max_tokens=1000)


async def heard(provider: Provider, query: Query) -> tuple[list[ReplyEvent], Reply]:
    """All events of a reply that arrives, and the reply."""
    events = [event async for event in provider.reply(query)]
    assert isinstance(events[-1], Finished)
    return events, events[-1].reply
