"""Senses: the kinds of things that a phrase can mean."""

from __future__ import annotations

from typing import Literal, TypeAlias

Sense: TypeAlias = Literal[
    "goal", "binding", "mode", "tempo", "unit", "size", "number", "meter", "mood", "style", "thing", "instrument",
    "track", "aspect", "join", "inverse", "filler", "section", "ordinal", "interval", "step", "grid", "degrees",
    "repeats", "genre",
]
Senses: TypeAlias = dict[Sense, str]
"""Everything that a phrase can mean, by sense."""
