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
    """The price of tokens where nobody knows one."""
    return None


class Account:
    """Adds up tokens and money; one unknown price makes the whole sum unknown."""

    def __init__(self, model: str, price: Price) -> None:
        self._model = model
        self._price = price
        self._cost: float | None = 0.0
        self.usage = Usage()

    async def add(self, reply: Reply) -> Spent:
        """Count a reply; the totals so far. The price is looked up off the event loop: its list may load first."""
        usage = reply.usage
        self.usage += usage if usage.calls else Usage(
            usage.input, usage.output, usage.cached, usage.written, 1, usage.known
        )
        cost = await asyncio.to_thread(self._price, self._model, usage)
        self._cost = None if cost is None or self._cost is None else self._cost + cost
        return Spent(self.usage.total, self._cost, self._model)
