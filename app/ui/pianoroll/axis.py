"""From ticks of the clip and pitches to pixels and back."""

from __future__ import annotations

from agent.song.time import PPQ
from app.ui.pianoroll.measures import LEAD, NARROWEST, ROW_HEIGHT, WIDEST

_WIDEST_CLIP = 1_500_000_000
_PITCHES = 128


class Axis:
    """Zoom and scroll; `left` and `top` are the pixels that are scrolled out of sight.

    Rows are the pitches from 127 down, or those of `lanes` where there are any.
    """

    def __init__(self) -> None:
        self.per_beat = 48.0
        self.left = 0
        self.top = 0
        self.row_height = ROW_HEIGHT
        self.lanes: tuple[int, ...] = ()
        self._row_of: dict[int, int] = {}

    def show_lanes(self, lanes: tuple[int, ...]) -> None:
        """One row for each of these pitches; none: one for every pitch."""
        if lanes != self.lanes:
            self.lanes = lanes
            self._row_of = {pitch: row for row, pitch in enumerate(lanes)}

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.lanes) or _PITCHES

    def x(self, at: float) -> float:
        """Pixel of a tick of the clip."""
        return at / PPQ * self.per_beat + LEAD - self.left

    def at(self, x: float) -> float:
        """Tick of the clip at a pixel."""
        return (x + self.left - LEAD) / self.per_beat * PPQ

    def ticks(self, pixels: float) -> float:
        """Ticks of a distance."""
        return pixels / self.per_beat * PPQ

    def row(self, pitch: int) -> int:
        """The row of a pitch; −1 for one that has none."""
        return self._row_of.get(pitch, -1) if self.lanes else _PITCHES - 1 - pitch

    def pitch_of(self, row: int) -> int:
        """The pitch of a row, the nearest there is."""
        row = max(0, min(self.rows - 1, row))
        return self.lanes[row] if self.lanes else _PITCHES - 1 - row

    def y(self, pitch: int) -> int:
        """Upper edge of a pitch's row."""
        return self.row(pitch) * self.row_height - self.top

    def pitch(self, y: float) -> int:
        """The pitch at a pixel, the nearest there is."""
        return self.pitch_of(int((y + self.top) // self.row_height))

    def width(self, length: int) -> int:
        """Pixels of a clip of that many ticks."""
        return int(length / PPQ * self.per_beat) + LEAD + 1

    def zoomed(self, wanted: float, length: int) -> float:
        """The nearest zoom that can be shown for a clip of that many ticks."""
        widest = min(WIDEST, _WIDEST_CLIP / max(1.0, length / PPQ))
        return max(min(NARROWEST, widest), min(widest, wanted))
