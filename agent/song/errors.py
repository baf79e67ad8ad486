"""What a song refuses."""

from __future__ import annotations

from agent.errors import BandleaderError


class SongError(BandleaderError):
    """A song or an edit that breaks a rule; `what` names the track, clip and note."""
