"""What parts of the mixer ask its view to carry out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.viewmodels.edits.strip_facts import MixerStrip


@dataclass(frozen=True)
class Choose:
    """Make the strip at this index the current one and scroll to it; an index beyond an end means the strip there."""

    at: int


@dataclass(frozen=True)
class TypeValue:
    """Open a field to type volume or pan of a strip; `begun` is what has been typed already."""

    strip: MixerStrip
    what: Literal["volume", "pan"] = "volume"
    begun: str | None = None


@dataclass(frozen=True)
class AskInstrument:
    """Open the list of instruments for a track."""

    strip: MixerStrip


@dataclass(frozen=True)
class Nudge:
    """Move volume (dB) or pan of a strip by keys; stored when no key follows for a moment."""

    strip: MixerStrip
    volume: float = 0.0
    pan: float = 0.0


@dataclass(frozen=True)
class GiveUp:
    """Cancel a drag, or discard what keys have set."""


Command = Choose | TypeValue | AskInstrument | Nudge | GiveUp
CarryOut = Callable[[Command], None]
