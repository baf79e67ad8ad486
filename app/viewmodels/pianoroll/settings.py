"""How a person works in the piano roll: tool, grid, scale, and what is shown beside the notes."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.key import Key
from app.viewmodels.pianoroll.grid import Snap

Tool = Literal["select", "draw", "erase"]
TOOLS: Final[tuple[Tool, ...]] = ("select", "draw", "erase")


class RollSettings(Struct, frozen=True):
    """Settings of one piano roll; none of it belongs to the song. `key` is the scale that is lit and that notes are
    kept to, None for the song's key. `beside` are tracks whose notes are shown behind, None for all others. `strength`
    of quantizing is 0-1; `timing` is in ticks."""

    tool: Tool = "select"
    snap: Snap = "1/16"
    key: Key | None = None
    light_scale: bool = False
    keep_to_scale: bool = False
    others: bool = False
    beside: frozenset[TrackId] | None = None
    chords: bool = True
    grid_for_kits: bool = True
    whole_kit: bool = False
    planned: bool = True
    """Whether a clip that the plan changes is shown as the plan would leave it."""
    stepping: bool = False
    octave: int = 4
    quantize: Snap = "1/16"
    strength: float = 1.0
    timing: int = 20
    louder: int = 8
    velocity: int = 100
    """Velocity of new notes."""
