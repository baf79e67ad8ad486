"""The palette's own texts in the person's language: names, families and what instruments and effects are for."""

from __future__ import annotations

from app.words import tr


def said(text: str) -> str:
    """A label, tag or explanation of the palette; the list of texts to translate has them all."""
    return tr(text) if text else ""
