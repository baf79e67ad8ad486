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
    """Settings of one piano roll; none of it belongs to the song. `snap` is the grid; `key` is the scale, None for the
    song's key: `light_scale` lights its rows, `keep_to_scale` keeps notes in it. With `others` the notes of the tracks
    `beside` (None: all others) are shown behind. `grid_for_kits` shows drums as hits, with `whole_kit` all their lanes;
    `stepping`: step input is on, at `octave`.

    `quantize` and `strength` (0 to 1) are those of quantizing, `timing` (ticks) and `louder` (velocity) the limits of
    humanizing."""

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
