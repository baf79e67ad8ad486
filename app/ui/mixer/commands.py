"""What parts of the mixer ask its view to carry out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.desktop.edits.strip_facts import MixerStrip


@dataclass(frozen=True)
class Choose:
    """Make the strip at a place the current one, and show it; beyond an end: the last one there."""

    at: int


@dataclass(frozen=True)
class TypeValue:
    """Open a line over a value of a strip; `begun` is what was typed already."""

    strip: MixerStrip
    what: Literal["volume", "pan"] = "volume"
    begun: str | None = None


@dataclass(frozen=True)
class AskInstrument:
    """Ask which instrument the track shall play."""

    strip: MixerStrip


@dataclass(frozen=True)
class Nudge:
    """Move the fader by decibels, or the pan, until the keys rest."""

    strip: MixerStrip
    volume: float = 0.0
    pan: float = 0.0


@dataclass(frozen=True)
class GiveUp:
    """End a drag, or what keys have set, without effect."""


Command = Choose | TypeValue | AskInstrument | Nudge | GiveUp
CarryOut = Callable[[Command], None]
