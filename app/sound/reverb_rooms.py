"""Rooms: impulse responses that are made here, the same on every machine, and the effect that plays them."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sound.fluid import Planar
from app.sound.part import SAMPLE_RATE

_SEED = 1
_BANDS_HZ = (125.0, 500.0, 2000.0, 6000.0)
"""Edges in Hz of the bands of a response; each decays at its own rate."""
_PACES = ((1.1, 1.1), (1.0, 1.0), (1.0, 0.8), (0.9, 0.5), (0.7, 0.25))
"""Decay time of each band as a multiple of the room's, without damping and with full damping."""
_REFLECTIONS = 14
_LOWEST_HZ = 50.0
_DULLED_HZ = 2500.0
"""Frequency in Hz from which a room's response falls, by 6 dB an octave."""
_WIDE_HZ = 200.0
"""Frequency in Hz well below which the response is mono."""
_LONG, _LONG_BLOCK = 1.5, 2048
"""Seconds from which a response is long, and the frames of it that are convolved at once: a third of the work less."""
_NORMAL = 8.0
"""Factor that undoes the convolution's scaling of a response to an eighth of unit energy."""


@lru_cache(maxsize=16)
def impulse_response(seconds: float, damping: float) -> Planar:
    """A room's impulse response: (2, frames) of unit energy, 60 dB down after `seconds`; high frequencies sooner with
    more `damping` (0 to 1). First some reflections, which come later in larger rooms, then noise that differs between
    the channels."""
    frames = int((seconds * 1.1 + 0.05) * SAMPLE_RATE)
    dice = np.random.default_rng(_SEED)
    noise = dice.standard_normal((2, frames))
    late = np.zeros((2, frames))
    time = np.arange(frames) / SAMPLE_RATE
    for band, (open_, damped) in zip(_bands(noise), _PACES, strict=True):
        pace = seconds * (open_ + (damped - open_) * damping)
        late += band * 10 ** (-3 * time / pace)
    spread = min(0.08, 0.012 + 0.02 * seconds)
    late *= np.minimum(1.0, time / spread)
    response = _low_middle(late / np.sqrt((late**2).sum(axis=1).max()) + 0.6 * _early(dice, frames, spread))
    normal: Planar = (response / np.sqrt((response**2).sum(axis=1).max())).astype(np.float32)
    return normal


class Room:
    """A convolution reverb with the interface of pedalboard's processors. Another time or damping makes another
    room."""

    def __init__(self) -> None:
        self.mix = 0.25
        self._seconds, self._damping = 1.2, 0.5
        self._convolution: Any = None

    @property
    def seconds(self) -> float:
        """Time in which the room falls by 60 dB."""
        return self._seconds

    @seconds.setter
    def seconds(self, value: float) -> None:
        self._turn(round(value, 2), self._damping)

    @property
    def damping(self) -> float:
        """How much sooner the highs fall, 0 to 1."""
        return self._damping

    @damping.setter
    def damping(self, value: float) -> None:
        self._turn(self._seconds, round(value, 2))

    def process(self, sound: Planar, sample_rate: float, buffer_size: int, reset: bool = True) -> Planar:
        """The next frames with the reverb; `reset` clears its state. A long room is processed in longer blocks."""
        block = max(buffer_size, _LONG_BLOCK if self._seconds >= _LONG else 0)
        if self._convolution is None:
            self._convolution = _convolution(self._seconds, self._damping, block)
        wet = self._convolution.process(sound, sample_rate, buffer_size=block, reset=reset)
        mixed: Planar = sound * np.float32(1 - self.mix) + wet * np.float32(_NORMAL * self.mix)
        return mixed

    def _turn(self, seconds: float, damping: float) -> None:
        if (seconds, damping) != (self._seconds, self._damping):
            self._seconds, self._damping, self._convolution = seconds, damping, None


def _convolution(seconds: float, damping: float, block: int) -> Any:
    from pedalboard import Convolution

    made = Convolution(impulse_response(seconds, damping), 1.0, SAMPLE_RATE)
    # It forgets all at the first block that is larger than those before.
    made.process(np.zeros((2, block), np.float32), SAMPLE_RATE, buffer_size=block)
    return made


def _bands(noise: npt.NDArray[np.float64]) -> list[npt.NDArray[np.float64]]:
    """The noise in bands that add up to it, but for what lies too low to be a room's."""
    spectrum = np.fft.rfft(noise, axis=1)
    hertz = np.fft.rfftfreq(noise.shape[1], 1 / SAMPLE_RATE)
    spectrum *= hertz**2 / (hertz**2 + _LOWEST_HZ**2) / np.sqrt(1 + (hertz / _DULLED_HZ) ** 2)
    above = [np.ones_like(hertz), *(hertz**2 / (hertz**2 + edge**2) for edge in _BANDS_HZ), np.zeros_like(hertz)]
    return [
        np.fft.irfft(spectrum * (low - high), noise.shape[1], axis=1)
        for low, high in pairwise(above)
    ]


def _low_middle(response: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The response without what differs between its sides at low frequencies: a room on the mix leaves them one."""
    mid, side = (response[0] + response[1]) / 2, (response[0] - response[1]) / 2
    spectrum = np.fft.rfft(side)
    hertz = np.fft.rfftfreq(len(side), 1 / SAMPLE_RATE)
    side = np.fft.irfft(spectrum * (hertz**2 / (hertz**2 + _WIDE_HZ**2)) ** 2, len(side))
    return np.stack((mid + side, mid - side))


def _early(dice: np.random.Generator, frames: int, spread: float) -> npt.NDArray[np.float64]:
    """Single reflections from changing sides, of unit energy in all, softer the later they come."""
    early = np.zeros((2, frames))
    moments = np.sort(dice.uniform(0.15, 1.0, _REFLECTIONS)) * spread
    for number, moment in enumerate(moments):
        level = (1 - 0.8 * moment / spread) * (-1) ** number
        side = dice.uniform(-0.8, 0.8)
        early[:, int(moment * SAMPLE_RATE)] += level * np.sqrt([(1 - side) / 2, (1 + side) / 2])
    unit: npt.NDArray[np.float64] = early / np.sqrt((early**2).sum(axis=1).max())
    return unit
