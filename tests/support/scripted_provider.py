"""A provider without a network, for tests of what wraps providers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from agent.conversation.messages import UserTurn
from agent.providers.errors import Fault, ProviderError
from agent.providers.provider import Abilities, Finished, Provider, Query, Reply, ReplyEvent, TextPart, Usage

QUERY = Query("You write music.", (UserTurn("make a beat"),))


def fails(fault: Fault, wait: float | None = None) -> ProviderError:
    return ProviderError(fault, "anthropic did not answer", why=f"it is {fault}", fix="Wait.", wait=wait)


def whole(text: str, usage: Usage = Usage(10, 5, calls=1)) -> list[ReplyEvent]:  # noqa: B008
    """A reply that arrives in one part."""
    return [TextPart(text), Finished(Reply(text, "end", usage=usage))]


class ScriptedProvider:
    """Plays one list of events for each call; an error in it is raised, None stands still for ever."""

    def __init__(self, *calls: Sequence[ReplyEvent | ProviderError | None], name: str = "anthropic") -> None:
        self._calls = list(calls)
        self.name = name
        self.model = "claude-sonnet-5-5"
        self.abilities = Abilities()
        self.asked = 0
        self.open = 0

    async def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        self.asked += 1
        self.open += 1
        try:
            for event in self._calls[self.asked - 1]:
                if event is None:
                    await asyncio.Event().wait()
                elif isinstance(event, ProviderError):
                    raise event
                else:
                    yield event
        finally:
            self.open -= 1

    async def models(self) -> tuple[str, ...]:
        return ("one",)

    async def close(self) -> None:
        pass


async def all_of(provider: Provider, query: Query = QUERY) -> list[ReplyEvent]:
    """Everything that a reply streams."""
    return [event async for event in provider.reply(query)]
