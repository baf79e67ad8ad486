"""What music theory refuses."""

from __future__ import annotations

from agent.errors import BandleaderError


class TheoryError(BandleaderError):
    """A note, numeral or chord symbol that cannot be read, or a voicing that has no room."""
