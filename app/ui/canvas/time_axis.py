"""From ticks, rows and pitches to pixels and back."""

from __future__ import annotations

from agent.song.time import PPQ

_WIDEST_SCENE = 1_500_000_000
"""Pixels; scroll bars count in 32 bits."""
_PITCHES = 128


class TimeAxis:
    """Zoom and scroll of `length` ticks over `rows`; `left` and `top` are the pixels that are scrolled out of sight.

    `per_beat` is the pixels of a quarter note, between `narrowest` and `widest`.
    """

    narrowest, widest = 0.5, 800.0

    def __init__(self, per_beat: float, row_height: int) -> None:
        self.per_beat = per_beat
        self.row_height = row_height
        self.left = 0
        self.top = 0
        self.length = 0
        self.rows = 0

    def x(self, at: float) -> float:
        """Pixel of a tick."""
        return at / PPQ * self.per_beat - self.left

    def at(self, x: float) -> float:
        """Tick at a pixel."""
        return (x + self.left) / self.per_beat * PPQ

    def ticks(self, pixels: float) -> float:
        """Ticks of a distance."""
        return pixels / self.per_beat * PPQ

    def row_top(self, row: int) -> int:
        """Upper edge of a row."""
        return row * self.row_height - self.top

    def row_at(self, y: float) -> int:
        """Number of the row at a pixel; it may be one that does not exist."""
        return int((y + self.top) // self.row_height)

    def rows_between(self, top: int, bottom: int) -> range:
        """The rows that touch the pixels from `top` to `bottom`."""
        return range(max(0, self.row_at(top)), min(self.rows, self.row_at(bottom) + 1))

    @property
    def width(self) -> int:
        """Pixels of all that there is."""
        return int(self.length / PPQ * self.per_beat) + 1

    @property
    def height(self) -> int:
        """Pixels of all rows."""
        return self.rows * self.row_height

    def zoomed(self, wanted: float) -> float:
        """The nearest zoom that can be shown."""
        widest = min(self.widest, _WIDEST_SCENE / max(1.0, self.length / PPQ))
        return max(min(self.narrowest, widest), min(widest, wanted))


class PitchAxis(TimeAxis):
    """Rows are the pitches from 127 down, or those of `lanes` where there are any."""

    def __init__(self, per_beat: float, row_height: int) -> None:
        super().__init__(per_beat, row_height)
        self.rows = _PITCHES
        self.lanes: tuple[int, ...] = ()
        self._row_of: dict[int, int] = {}

    def show_lanes(self, lanes: tuple[int, ...]) -> None:
        """One row for each of these pitches; none: one for every pitch."""
        if lanes != self.lanes:
            self.lanes = lanes
            self._row_of = {pitch: row for row, pitch in enumerate(lanes)}
            self.rows = len(lanes) or _PITCHES

    def row(self, pitch: int) -> int:
        """The row of a pitch; −1 for one that has none."""
        return self._row_of.get(pitch, -1) if self.lanes else _PITCHES - 1 - pitch

    def pitch_of(self, row: int) -> int:
        """The pitch of a row, the nearest there is."""
        row = max(0, min(self.rows - 1, row))
        return self.lanes[row] if self.lanes else _PITCHES - 1 - row

    def y(self, pitch: int) -> int:
        """Upper edge of a pitch's row."""
        return self.row_top(self.row(pitch))

    def pitch(self, y: float) -> int:
        """The pitch at a pixel, the nearest there is."""
        return self.pitch_of(self.row_at(y))
