"""From ticks and lanes to pixels and back."""

from __future__ import annotations

from agent.song.time import PPQ
from app.desktop.timeline.layout import NARROWEST, WIDEST
from app.ui.timeline.measures import LANE_HEIGHT

WIDEST_SCENE = 1_500_000_000
"""Pixels; scroll bars count in 32 bits."""


class Axis:
    """Zoom and scroll of a timeline; `left` and `top` are the pixels that are scrolled out of sight."""

    def __init__(self) -> None:
        self.per_beat = 12.0
        self.left = 0
        self.top = 0
        self.lane_height = LANE_HEIGHT

    def x(self, at: float) -> float:
        """Pixel of a tick."""
        return at / PPQ * self.per_beat - self.left

    def at(self, x: float) -> float:
        """Tick at a pixel."""
        return (x + self.left) / self.per_beat * PPQ

    def y(self, lane: int) -> int:
        """Upper edge of a lane."""
        return lane * self.lane_height - self.top

    def lane(self, y: float) -> int:
        """Number of the lane at a pixel; it may be one that does not exist."""
        return int((y + self.top) // self.lane_height)

    def width(self, length: int) -> int:
        """Pixels of a whole song of that many ticks."""
        return int(length / PPQ * self.per_beat) + 1

    def zoomed(self, wanted: float, length: int) -> float:
        """The nearest zoom that can be shown for a song of that many ticks."""
        widest = min(WIDEST, WIDEST_SCENE / max(1.0, length / PPQ))
        return max(min(NARROWEST, widest), min(widest, wanted))
