"""What a run uses of a model."""

from __future__ import annotations

from agent.providers.provider import Usage


class Spending:
    """Adds up tokens and cost (US dollars); once a price is unknown, so is the whole cost."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.cost: float | None = 0.0

    def add(self, usage: Usage, cost: float | None) -> None:
        """Count one call, or those of a row."""
        self.usage += usage
        self.cost = None if self.cost is None or cost is None else self.cost + cost
