"""What a run uses of a model."""

from __future__ import annotations

from agent.providers.provider import Usage


class Spending:
    """Adds up the usage of models and its cost in US dollars; the cost is None once any price is unknown."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.cost: float | None = 0.0

    def add(self, usage: Usage, cost: float | None) -> None:
        """Add the usage of one or more calls; `cost` None: unknown price."""
        self.usage += usage
        self.cost = None if self.cost is None or cost is None else self.cost + cost
