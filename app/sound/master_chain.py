"""What the sum of all tracks passes: its low end comes to the middle, then the master's effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agent.song.palette import Palette
from agent.song.track import Effect
from app.sound.effects import BLOCK, EffectChain
from app.sound.fluid import Planar
from app.sound.part import SAMPLE_RATE

LOW_HZ = 120.0
"""Frequency below which the mix is mono."""

_SHELF_DB = -18.0
_SHELVES = 2


class LowEnd:
    """Makes low frequencies mono: the difference of the channels is lowered by 18 dB at `LOW_HZ`, by more than 30 dB at
    half of it.

    It is fed with consecutive frames and keeps its state; the result does not depend on the size of the blocks. What
    both channels share is unchanged."""

    def __init__(self) -> None:
        from pedalboard import LowShelfFilter

        self._shelves: list[Any] = [LowShelfFilter(LOW_HZ, _SHELF_DB) for _ in range(_SHELVES)]
        for shelf in self._shelves:
            # It forgets all at the first block that is larger than those before.
            shelf.process(np.zeros((1, BLOCK), np.float32), SAMPLE_RATE, buffer_size=BLOCK)

    def process(self, sound: Planar) -> Planar:
        """The next frames, as (2, frames)."""
        if not sound.shape[1]:
            return sound
        half = np.float32(0.5)
        shared = (sound[0] + sound[1]) * half
        differing = ((sound[0] - sound[1]) * half)[None]
        for shelf in self._shelves:
            differing = shelf.process(differing, SAMPLE_RATE, buffer_size=BLOCK, reset=False)
        middled: Planar = np.stack((shared + differing[0], shared - differing[0]))
        return middled


class MasterChain(EffectChain):
    """The master effects of a song, after its low end was made mono."""

    def __init__(self, effects: Sequence[Effect], palette: Palette) -> None:
        super().__init__(effects, palette)
        self._low_end = LowEnd()

    def __bool__(self) -> bool:
        return True

    def process(self, sound: Planar) -> Planar:
        """The next frames with all effects applied."""
        return super().process(self._low_end.process(sound))
