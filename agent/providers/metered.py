"""Counting what calls to a model use and cost, and a cap that the next call may not pass."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec

from agent.conversation.messages import ModelTurn, ResultsTurn, Turn, UserTurn
from agent.message import msg
from agent.providers.closing import closing
from agent.providers.errors import ProviderError
from agent.providers.prices import Price, cost_of, is_free
from agent.providers.provider import (
    CallBegun,
    CallPart,
    Finished,
    Provider,
    Query,
    Reply,
    ReplyEvent,
    Restarted,
    TextPart,
    Usage,
)
from agent.providers.wrapped import WrappedProvider

_BYTES_PER_TOKEN = 4
_MOST_TOKENS = 10**9
"""More tokens than any call can use."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has: one for four bytes."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def estimated_input(query: Query) -> int:
    """About how many tokens a call reads: system prompt, turns, tools and output form."""
    offers = [(tool.name, tool.about, tool.schema) for tool in query.tools]
    told = msgspec.json.encode((offers, query.form)).decode() if offers or query.form else ""
    return estimated_tokens(query.system) + estimated_tokens(told) + sum(map(_turn_tokens, query.turns))


def _turn_tokens(turn: Turn) -> int:
    match turn:
        case UserTurn(text):
            return estimated_tokens(text)
        case ModelTurn(text, calls, _):
            return estimated_tokens(text + "".join(msgspec.json.encode(call).decode() for call in calls))
        case ResultsTurn(results):
            return sum(estimated_tokens(result.text) for result in results)


class Meter:
    """Adds up the usage of calls, and refuses further ones at a spending cap.

    `cap` (None: no cap) and `spent_before` are US dollars. A call is refused once the known spending has reached the
    cap; one that exceeds it under way is not cancelled, and concurrent calls may exceed it together. Calls without a
    known price are counted in `unpriced`, which the cap ignores. `listen` gets each call's usage and cost."""

    def __init__(
        self,
        cap: float | None = None,
        spent_before: float = 0.0,
        price: Price = cost_of,
        listen: Callable[[Usage, float | None], None] | None = None,
    ) -> None:
        self._cap = cap
        self._before = spent_before
        self._price = price
        self._listen = listen
        self._warm: set[tuple[str, str, str | None]] = set()
        self.usage = Usage()
        """Tokens of all calls so far."""
        self.unpriced = Usage()
        """The part of `usage` that has no known price."""
        self.cost = 0.0
        """US dollars of the calls so far whose price is known."""

    @property
    def spent(self) -> float:
        """Spending in US dollars, including `spent_before`."""
        return self._before + self.cost

    @property
    def remark(self) -> str:
        """What the figures leave out, in a sentence; empty for nothing."""
        if not self.unpriced.calls:
            return ""
        blind = "" if self._cap is None else "; the spending cap does not see them"
        return f"{self.unpriced.total:,} tokens have no known price{blind}."

    def check(self, provider: str) -> None:
        """Raise `ProviderError` (cap) if the spending has reached the cap."""
        if self._cap is not None and self.spent >= self._cap:
            raise ProviderError(
                "cap", msg("{provider} was not asked", provider=provider),
                why=msg("${spent:.2f} are spent and the spending cap is ${cap:.2f}", spent=self.spent, cap=self._cap),
                fix=msg("Raise the spending cap in the settings, or use the composer, which costs nothing."),
            )

    async def prepare(self, model: str, provider: str, address: str | None) -> None:
        """Load the price of a model at a provider in a thread, once, as the price list takes a while to import.
        `address` is the server's base URL, None for the provider's own."""
        wanted = (model, provider, address)
        if wanted not in self._warm:
            await asyncio.to_thread(self._price, model, provider, Usage(), address)
            self._warm.add(wanted)

    def count(self, model: str, provider: str, usage: Usage, address: str | None) -> None:
        """Add the usage of one call, priced by model, provider and `address` (the server's base URL, None for the
        provider's own)."""
        cost = self._price(model, provider, usage, address)
        self.usage += usage
        if cost is None:
            self.unpriced += usage
        else:
            self.cost += cost
        if self._listen is not None:
            self._listen(usage, cost)


class MeteredProvider(WrappedProvider):
    """Counts each call of a provider with a meter. `address` is the server's base URL, None for the provider's own.

    Best wrapped by a `RetryingProvider`, so that the cap is checked before each try. A call that fails or is cancelled
    after parts of it came is counted by an estimate (`known` is False), as is one whose server reported no usage."""

    def __init__(self, provider: Provider, meter: Meter, address: str | None = None) -> None:
        super().__init__(provider)
        self._meter = meter
        self._address = address

    async def reply(self, query: Query) -> AsyncIterator[ReplyEvent]:
        """The reply's stream; its usage is never empty. Raises `ProviderError`, also for the cap."""
        if not is_free(self.name, self._address):
            self._meter.check(self.name)
        await self._meter.prepare(self.model, self.name, self._address)
        heard: list[str] = []
        try:
            async with closing(self._provider.reply(query)) as stream:
                async for event in stream:
                    match event:
                        case TextPart(text) | CallPart(_, text) | CallBegun(_, text):
                            heard.append(text)
                        case Restarted():
                            self._count_heard(query, heard)
                        case Finished(reply):
                            usage = _counted(query, reply)
                            heard.clear()
                            self._count(usage)
                            event = Finished(msgspec.structs.replace(reply, usage=usage))
                        case _:
                            pass
                    yield event
        finally:
            self._count_heard(query, heard)

    def _count(self, usage: Usage) -> None:
        self._meter.count(self.model, self.name, usage, self._address)

    def _count_heard(self, query: Query, heard: list[str]) -> None:
        """Count a reply that did not arrive whole: what came was made, and is paid for."""
        if heard:
            text = "".join(heard)
            heard.clear()
            self._count(Usage(estimated_input(query), estimated_tokens(text), calls=1, known=False))


def _counted(query: Query, reply: Reply) -> Usage:
    """The usage that the server told, else an estimate; so too where it told what cannot be, such as less than 0."""
    usage = reply.usage
    if (usage.known or usage.total) and _can_be(usage):
        return msgspec.structs.replace(usage, calls=max(usage.calls, 1))
    calls = "".join(msgspec.json.encode(call).decode() for call in (*reply.calls, *reply.bad_calls))
    return Usage(estimated_input(query), estimated_tokens(reply.text + calls), calls=1, known=False)


def _can_be(usage: Usage) -> bool:
    told = (usage.input, usage.output, usage.cached, usage.written)
    return min(told) >= 0 and max(told) <= _MOST_TOKENS and usage.cached + usage.written <= usage.input
