"""Where the parts of a strip lie, in pixels from its upper left corner."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRect

StripPart = Literal["", "instrument", "pan", "fader", "meter", "value", "mute", "solo", "lock"]

STRIP_WIDTH = 82
STRIPE = 4
LEAST_HEIGHT = 176
KNOB_HEIGHT = 10
CAP = 4
"""Height of the mark above each bar that tells of clipping."""
_SIDE = 6
_BAR = 5
_ROW = 20


class StripLayout:
    """The parts of every strip at one height."""

    def __init__(self, height: int) -> None:
        self.height = max(LEAST_HEIGHT, height)
        inner = STRIP_WIDTH - 2 * _SIDE
        self.name = QRect(_SIDE, STRIPE + 2, inner, 18)
        self.instrument = QRect(_SIDE, 26, inner, _ROW)
        self.pan = QRect(_SIDE, 48, inner, _ROW)
        buttons = self.height - 26
        self.mute = QRect(_SIDE, buttons, 22, _ROW)
        self.solo = QRect(_SIDE + 25, buttons, 22, _ROW)
        self.lock = QRect(_SIDE + 50, buttons, 20, _ROW)
        self.value = QRect(_SIDE, buttons - 22, inner, _ROW)
        top = 72
        way = self.value.top() - 4 - top
        self.fader = QRect(_SIDE, top, 40, way)
        self.meter = QRect(_SIDE + 46, top, 23, way)
        self.bars = tuple(QRect(self.meter.left() + at, top, _BAR, way) for at in (0, _BAR + 1))
        """The left and the right bar of the meter."""
        self._parts: tuple[tuple[StripPart, QRect], ...] = (
            ("instrument", self.instrument), ("pan", self.pan), ("fader", self.fader), ("meter", self.meter),
            ("value", self.value), ("mute", self.mute), ("solo", self.solo), ("lock", self.lock),
        )

    def part_at(self, place: QPointF) -> StripPart:
        """The part at a place; empty where there is only ground, or the name."""
        return next((part for part, rect in self._parts if rect.contains(place.toPoint())), "")

    @property
    def way(self) -> int:
        """Pixels between both ends of a fader."""
        return self.fader.height() - KNOB_HEIGHT

    @property
    def pan_way(self) -> int:
        """Pixels between both ends of a pan."""
        return 30

    def knob(self, share: float) -> QRect:
        """The knob of a fader that stands so far up (0-1)."""
        y = self.fader.bottom() - KNOB_HEIGHT - round(share * self.way) + 1
        return QRect(self.fader.left() + 5, y, 18, KNOB_HEIGHT)

    def pan_x(self, pan: float) -> int:
        """Where the handle of a pan (-1 to 1) stands."""
        return self.pan.left() + 3 + round((pan + 1) / 2 * self.pan_way)
