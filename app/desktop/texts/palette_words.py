"""The palette's own texts in the person's language: names, families and what instruments and effects are for."""

from __future__ import annotations

from agent.song.palette import Palette
from app.words import tr


def said(text: str) -> str:
    """A label, tag or explanation of the palette; the list of texts to translate has them all."""
    return tr(text) if text else ""


def instrument_label(name: str, palette: Palette) -> str:
    """What a person calls an instrument; its own name if it is not in the list."""
    return next((said(one.label) for one in palette.instruments if one.name == name), name)


def effect_label(name: str, palette: Palette) -> str:
    """What a person calls an effect; its own name if it is not in the list."""
    return next((said(one.label) for one in palette.effects if one.name == name), name)
