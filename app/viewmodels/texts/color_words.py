"""Colours of tracks as a person calls them."""

from __future__ import annotations

from agent.song.colors import COLORS
from app.i18n import lazy, tr

_NAMES = (
    lazy("Violet"), lazy("Coral"), lazy("Gold"), lazy("Teal"), lazy("Mint"), lazy("Moss"),
    lazy("Sky"), lazy("Brick"), lazy("Sand"), lazy("Blue"), lazy("Rose"), lazy("Pink"),
)


def named_colors() -> tuple[tuple[str, str], ...]:
    """The colours that new tracks get in turn, as #RRGGBB, each with its translated name."""
    return tuple((color, tr(name)) for color, name in zip(COLORS, _NAMES, strict=True))


def color_in_words(color: str) -> str:
    """A colour's translated name; #RRGGBB if it has none."""
    return next((name for known, name in named_colors() if known == color.upper()), color)
