"""What is wrong with a plan."""

from __future__ import annotations

from agent.errors import BandleaderError


class PlanError(BandleaderError):
    """A plan or request that cannot be used; `what` names the row."""


class NothingToDo(PlanError):
    """What is asked for is so already, or nothing of it can be done: nothing went wrong, and nothing changes."""
