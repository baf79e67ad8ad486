"""What the studio refuses."""

from __future__ import annotations

from agent.errors import BandleaderError


class StudioError(BandleaderError):
    """Something asked of the studio that it cannot do; `what` names the project, iteration or run."""
