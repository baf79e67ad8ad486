"""What planning has used of a model, over all its calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from agent.plan.planning import Spent
from agent.providers.provider import Reply, Usage

Price: TypeAlias = Callable[[str, Usage], float | None]
"""The price in US dollars of tokens of a model, None where it is unknown."""


def unpriced(_model: str, _usage: Usage) -> float | None:
    """A price function for models whose price is unknown: always None."""
    return None


class Account:
    """The tokens and US dollars that planning has used; a single unknown price makes the sum unknown."""

    def __init__(self, model: str, price: Price) -> None:
        self._model = model
        self._price = price
        self._cost: float | None = 0.0
        self.usage = Usage()

    async def add(self, reply: Reply) -> Spent:
        """Add a reply and return the totals so far. The price is looked up in a thread, as the list may have to be
        loaded."""
        usage = reply.usage
        self.usage += usage if usage.calls else Usage(
            usage.input, usage.output, usage.cached, usage.written, 1, usage.known
        )
        cost = await asyncio.to_thread(self._price, self._model, usage)
        self._cost = None if cost is None or self._cost is None else self._cost + cost
        return Spent(self.usage.total, self._cost, self._model)
