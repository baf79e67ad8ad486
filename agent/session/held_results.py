"""How much the results of a run hold, so that no run fills the memory."""

from __future__ import annotations

import msgspec

from agent.plan.plan import Json

MOST_HELD = 128_000_000
"""Most bytes of all results of a run, as stored."""


class HeldResults:
    """Counts the size of the results of one run."""

    def __init__(self, most: int = MOST_HELD) -> None:
        self._most = most
        self._held = 0

    def add(self, result: Json) -> None:
        """Count a result that is kept until the run ends."""
        self._held += len(msgspec.json.encode(result))

    @property
    def full(self) -> str:
        """Why no further call may begin; empty if it may."""
        return f"the results of this run hold more than {self._most:,} bytes" if self._held > self._most else ""
