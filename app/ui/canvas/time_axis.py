"""From ticks, rows and pitches to pixels and back."""

from __future__ import annotations

from agent.song.time import PPQ

_WIDEST_SCENE = 1_500_000_000
"""Pixels; the limit because scroll bars count in 32 bits."""
_PITCHES = 128


class TimeAxis:
    """Maps ticks and rows to pixels. `length` is in ticks, `rows` is their number; `left` and `top` are the scroll
    position in pixels; `per_beat` is pixels per quarter note, between `narrowest` and `widest`."""

    narrowest, widest = 0.5, 800.0

    def __init__(self, per_beat: float, row_height: int) -> None:
        self.per_beat = per_beat
        self.row_height = row_height
        self.left = 0
        self.top = 0
        self.length = 0
        self.rows = 0

    def x(self, at: float) -> float:
        """Pixel x of a tick."""
        return at / PPQ * self.per_beat - self.left

    def at(self, x: float) -> float:
        """Tick at pixel x."""
        return (x + self.left) / self.per_beat * PPQ

    def ticks(self, pixels: float) -> float:
        """A distance in pixels as ticks."""
        return pixels / self.per_beat * PPQ

    def row_top(self, row: int) -> int:
        """Pixel y of a row's upper edge."""
        return row * self.row_height - self.top

    def row_at(self, y: float) -> int:
        """Index of the row at pixel y; it may lie outside the existing rows."""
        return int((y + self.top) // self.row_height)

    def rows_between(self, top: int, bottom: int) -> range:
        """The existing rows that touch the pixels from `top` to `bottom`."""
        return range(max(0, self.row_at(top)), min(self.rows, self.row_at(bottom) + 1))

    @property
    def width(self) -> int:
        """Width of the whole content in pixels."""
        return int(self.length / PPQ * self.per_beat) + 1

    @property
    def height(self) -> int:
        """Height of all rows in pixels."""
        return self.rows * self.row_height

    def zoomed(self, wanted: float) -> float:
        """The allowed zoom (pixels per beat) nearest to `wanted`."""
        widest = min(self.widest, _WIDEST_SCENE / max(1.0, self.length / PPQ))
        return max(min(self.narrowest, widest), min(widest, wanted))


class PitchAxis(TimeAxis):
    """An axis whose rows are the pitches from 127 down, or only the pitches `lanes` if there are any."""

    def __init__(self, per_beat: float, row_height: int) -> None:
        super().__init__(per_beat, row_height)
        self.rows = _PITCHES
        self.lanes: tuple[int, ...] = ()
        self._row_of: dict[int, int] = {}

    def show_lanes(self, lanes: tuple[int, ...]) -> None:
        """Set the pitches that have a row, from the top down; empty: every pitch has one."""
        if lanes != self.lanes:
            self.lanes = lanes
            self._row_of = {pitch: row for row, pitch in enumerate(lanes)}
            self.rows = len(lanes) or _PITCHES

    def row(self, pitch: int) -> int:
        """The row of a pitch; -1 if it has none."""
        return self._row_of.get(pitch, -1) if self.lanes else _PITCHES - 1 - pitch

    def pitch_of(self, row: int) -> int:
        """The pitch of a row; for a row that does not exist, that of the nearest one."""
        row = max(0, min(self.rows - 1, row))
        return self.lanes[row] if self.lanes else _PITCHES - 1 - row

    def y(self, pitch: int) -> int:
        """Pixel y of the upper edge of a pitch's row, which must exist."""
        return self.row_top(self.row(pitch))

    def pitch(self, y: float) -> int:
        """The pitch at pixel y, or that of the nearest row."""
        return self.pitch_of(self.row_at(y))
