"""What the studio refuses."""

from __future__ import annotations

from agent.errors import BandleaderError


class StudioError(BandleaderError):
    """A request that the studio refuses; `what` names the project, iteration or run."""
