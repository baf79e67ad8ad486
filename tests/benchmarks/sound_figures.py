"""What is measured on a rendered song: offset, low end, limiter, parts that are not heard, and a drum's colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from app.sound.fluid import Planar
from app.sound.limiter import Mastered
from app.sound.master_chain import LOW_HZ
from app.sound.part import SAMPLE_RATE

HEARD_DB = -10.0
"""How far below all others together a part may lie in its best band and still be heard there."""

_WINDOW = 16_384
_EDGES = 40.0 * 2 ** (np.arange(28) / 3)
"""Bands of a third of an octave from 40 Hz on."""
_ACTIVE = 1e-3
"""Of a part's loudest window: what is softer counts as a rest."""

Powers = npt.NDArray[np.float64]


def offset(sound: Planar) -> float:
    """The largest mean of a channel, as a share of full scale: of the whole, which silence at the end dilutes."""
    return float(np.abs(sound.astype(np.float64).mean(axis=1)).max()) if sound.size else 0.0


def low_side_db(sound: Planar) -> float:
    """What differs between the channels below `LOW_HZ`, against what they share, in dB."""
    mid, side = _low_power(sound[0] + sound[1]), _low_power(sound[0] - sound[1])
    return float(10 * np.log10((side + 1e-12) / (mid + 1e-12)))


def limited_share(mastered: Mastered, db: float = 3.0) -> float:
    """The share of the time in which the limiter takes more than `db` away."""
    if mastered.levels is None:
        return 0.0
    taken = mastered.gain_db - 20 * np.log10(np.maximum(mastered.levels, 1e-9))
    return float(np.mean(taken > db))


def heard_shares(stems: Mapping[str, Planar]) -> dict[str, float]:
    """For each part the share of its windows in which some band of it reaches `HEARD_DB` of all others together."""
    frames = max(stem.shape[1] for stem in stems.values())
    powers = {name: _bands(stem, frames) for name, stem in stems.items()}
    whole: Powers = np.sum(list(powers.values()), axis=0)
    return {name: _heard(power, whole - power) for name, power in powers.items()}


def centroid(sound: Planar) -> float:
    """The mean frequency of a sound in Hz, weighted by amplitude."""
    spectrum = np.abs(np.fft.rfft(sound.mean(axis=0)))
    hertz = np.fft.rfftfreq(sound.shape[1], 1 / SAMPLE_RATE)
    return float((hertz * spectrum).sum() / spectrum.sum())


def _heard(power: Powers, rest: Powers) -> float:
    loudness = power.sum(axis=1)
    active = loudness > loudness.max() * _ACTIVE
    over = (power >= rest * 10 ** (HEARD_DB / 10)) & (power > loudness.max() * _ACTIVE / 100)
    return float(over.any(axis=1)[active].mean()) if active.any() else 0.0


def _bands(sound: Planar, frames: int) -> Powers:
    """Power of each window (rows) in each band."""
    count = -(-frames // _WINDOW)
    mono = np.zeros(count * _WINDOW, np.float32)
    mono[: sound.shape[1]] = sound.mean(axis=0)
    hertz = np.fft.rfftfreq(_WINDOW, 1 / SAMPLE_RATE)
    starts = np.searchsorted(hertz, _EDGES)
    rows = [np.add.reduceat(power, starts) for power in _spectra(mono.reshape(count, _WINDOW))]
    return np.array(rows)


def _spectra(windows: npt.NDArray[np.float32]) -> Iterator[Powers]:
    shape = np.hanning(_WINDOW).astype(np.float32)
    for window in windows:
        yield np.abs(np.fft.rfft(window * shape)) ** 2


def _low_power(channel: npt.NDArray[np.float32]) -> float:
    hertz = np.fft.rfftfreq(_WINDOW, 1 / SAMPLE_RATE)
    low = (hertz > 20) & (hertz < LOW_HZ)
    count = len(channel) // _WINDOW
    return float(sum(power[low].sum() for power in _spectra(channel[: count * _WINDOW].reshape(count, _WINDOW))))
