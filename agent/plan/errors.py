"""What is wrong with a plan."""

from __future__ import annotations

from agent.errors import BandleaderError


class PlanError(BandleaderError):
    """A plan or request that cannot be used; `what` names the row."""
