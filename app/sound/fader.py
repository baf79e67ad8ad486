"""A track's volume and pan as gains, fixed or moving."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from agent.song.song import Song
from agent.song.track import Track
from app.sound.curves import AutomationCurve, curve_for
from app.sound.fluid import Planar
from app.sound.part import GRID, SAMPLE_RATE


@dataclass(frozen=True)
class Fader:
    """Volume in dB and an equal-power balance.

    With θ = (pan + 1) π/4 the left channel is multiplied by √2 cos θ and the right by √2 sin θ: unity in the
    middle, +3 dB and silence at the ends, the same power everywhere. Moving values are read every `GRID`
    frames and joined by lines, so that a jump is a ramp of 1.3 ms.
    """

    volume_db: float
    pan: float
    volume_curve: AutomationCurve | None = None
    pan_curve: AutomationCurve | None = None

    @classmethod
    def of(cls, song: Song, track: Track) -> Fader:
        """The fader of a track with its automation; mute is not included."""
        volume = curve_for(song, track, "volume_db", track.volume_db)
        return cls(track.volume_db, track.pan, volume, curve_for(song, track, "pan", track.pan))

    @property
    def moves(self) -> bool:
        """Whether volume or pan is automated."""
        return self.volume_curve is not None or self.pan_curve is not None

    def gains(self, start: int, frames: int) -> Planar:
        """Factors for `frames` frames of the song from `start`: (2, frames), or (2, 1) when nothing moves."""
        if not self.moves:
            return _factors(np.array([self.volume_db]), np.array([self.pan]))
        knots = np.arange(start // GRID, ceil((start + frames) / GRID) + 1) * GRID
        seconds = knots / SAMPLE_RATE
        volume = self.volume_curve.at(seconds) if self.volume_curve else np.full(len(knots), self.volume_db)
        pan = self.pan_curve.at(seconds) if self.pan_curve else np.full(len(knots), self.pan)
        factors = _factors(volume, pan)
        positions = np.arange(start, start + frames)
        return np.stack([np.interp(positions, knots, row) for row in factors]).astype(np.float32)


def _factors(volume_db: npt.NDArray[np.float64], pan: npt.NDArray[np.float64]) -> Planar:
    angle = (np.clip(pan, -1, 1) + 1) * (np.pi / 4)
    level = np.sqrt(2) * 10 ** (np.clip(volume_db, -96, 24) / 20)
    return np.stack([level * np.cos(angle), level * np.sin(angle)]).astype(np.float32)
