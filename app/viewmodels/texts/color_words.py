"""Colours of tracks as a person calls them."""

from __future__ import annotations

from agent.song.colors import COLORS
from app.words import later, tr

_NAMES = (
    later("Violet"), later("Coral"), later("Gold"), later("Teal"), later("Mint"), later("Moss"),
    later("Sky"), later("Brick"), later("Sand"), later("Blue"), later("Rose"), later("Pink"),
)


def named_colors() -> tuple[tuple[str, str], ...]:
    """The colours that new tracks get in turn, as #RRGGBB, each with its translated name."""
    return tuple((color, tr(name)) for color, name in zip(COLORS, _NAMES, strict=True))


def color_in_words(color: str) -> str:
    """A colour's translated name; #RRGGBB if it has none."""
    return next((name for known, name in named_colors() if known == color.upper()), color)
