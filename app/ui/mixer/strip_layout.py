"""Where the parts of a strip lie, in pixels from its upper left corner."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRect

StripPart = Literal["", "instrument", "pan", "fader", "meter", "value", "mute", "solo", "lock"]

STRIP_WIDTH = 96
STRIPE = 4
LEAST_HEIGHT = 184
KNOB_HEIGHT = 10
CAP = 4
"""Height of the clipping indicator above each bar."""
_SIDE = 5
_BAR = 5
_ROW = 20
_LINE = 14


class StripLayout:
    """Rectangles of a strip's parts at one height, relative to the strip."""

    def __init__(self, height: int) -> None:
        self.height = max(LEAST_HEIGHT, height)
        inner = STRIP_WIDTH - 2 * _SIDE
        self.name = QRect(_SIDE, STRIPE + 2, inner, 18)
        self.instrument = QRect(_SIDE, 25, inner, 2 * _LINE + 4)
        room = self.instrument.adjusted(3, 2, -1, -2)
        self.icon, self.caret = (QRect(room.left(), room.top() + at, _LINE, _LINE) for at in (0, _LINE))
        self.words = room.adjusted(_LINE + 3, 0, 0, 0)
        """Two lines for the instrument's name, beside its icon and the caret of the list."""
        self.pan = QRect(_SIDE, 59, inner, _ROW)
        buttons = self.height - 26
        self.mute = QRect(_SIDE, buttons, 26, _ROW)
        self.solo = QRect(_SIDE + 30, buttons, 26, _ROW)
        self.lock = QRect(_SIDE + 62, buttons, 20, _ROW)
        self.value = QRect(_SIDE, buttons - 22, inner, _ROW)
        top = 82
        way = self.value.top() - 4 - top
        self.fader = QRect(_SIDE + 4, top, 44, way)
        self.meter = QRect(_SIDE + 59, top, 23, way)
        self.bars = tuple(QRect(self.meter.left() + at, top, _BAR, way) for at in (0, _BAR + 1))
        """The left and the right bar of the meter."""
        self._parts: tuple[tuple[StripPart, QRect], ...] = (
            ("instrument", self.instrument), ("pan", self.pan), ("fader", self.fader), ("meter", self.meter),
            ("value", self.value), ("mute", self.mute), ("solo", self.solo), ("lock", self.lock),
        )

    def part_at(self, place: QPointF) -> StripPart:
        """The part at a point; "" for the background and the name."""
        return next((part for part, rect in self._parts if rect.contains(place.toPoint())), "")

    @property
    def way(self) -> int:
        """Pixels that a fader can travel."""
        return self.fader.height() - KNOB_HEIGHT

    @property
    def pan_way(self) -> int:
        """Pixels that a pan can travel."""
        return 40

    def knob(self, share: float) -> QRect:
        """The rectangle of a fader's knob at a share (0 to 1) of its travel."""
        y = self.fader.bottom() - KNOB_HEIGHT - round(share * self.way) + 1
        return QRect(self.fader.left() + 5, y, 18, KNOB_HEIGHT)

    def pan_x(self, pan: float) -> int:
        """Pixel x of a pan's handle for a pan of -1 to 1."""
        return self.pan.left() + 3 + round((pan + 1) / 2 * self.pan_way)
