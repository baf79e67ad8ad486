"""The colours of tracks that were given none."""

from __future__ import annotations

COLORS = (
    "#A77BE0", "#E8735C", "#F0C24F", "#2FA894", "#9BE0B4", "#86A83E",
    "#7CCDEB", "#CC6A52", "#CDB893", "#5B93E8", "#D8608F", "#F2A3C4",
)
"""The palette that new tracks take in turn; neighbours differ for every kind of colour vision."""


def color_in_turn(number: int) -> str:
    """The colour, such as "#A77BE0", of the track with index `number`, from 0; the colours repeat after the last."""
    return COLORS[number % len(COLORS)]
