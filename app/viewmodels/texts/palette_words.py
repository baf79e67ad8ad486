"""The palette's own texts in the person's language: names, families and what instruments and effects are for."""

from __future__ import annotations

from agent.song.palette import Palette
from app.i18n import tr


def said(text: str) -> str:
    """A translated label, tag or explanation of the palette."""
    return tr(text) if text else ""


def instrument_label(name: str, palette: Palette) -> str:
    """An instrument's translated label; its name if the palette does not know it."""
    return next((said(one.label) for one in palette.instruments if one.name == name), name)


def effect_label(name: str, palette: Palette) -> str:
    """An effect's translated label; its name if the palette does not know it."""
    return next((said(one.label) for one in palette.effects if one.name == name), name)
