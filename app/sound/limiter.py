"""The gain and the limiter that bring a mix to its loudness target and under its peak ceiling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from app.sound.fluid import Planar
from app.sound.meter import PEAK_BLOCK, Peaks, block_peaks, integrated_loudness, true_peak
from app.sound.part import SAMPLE_RATE

CEILING_DBTP = -1.0
"""Highest true peak of a mix, in dBTP."""
TOLERANCE_LU = 1.0
"""Largest accepted distance from the target, in LU."""
MOST_GAIN_DB = 40.0
"""Largest make-up gain in dB; a mix that needs more counts as too quiet."""

LIMITER_BLOCK = PEAK_BLOCK
"""Frames between two factors of the limiter."""

_MARGIN_DB = 0.1
_RELEASE_SECONDS = 0.05  # twice as long as a turn of a 40 Hz bass
_MEAN_SECONDS = 0.5
_ROUNDS = 6
_HEADROOM_DB = 3.0  # how far the rounds may raise the gain over the first

_RAMP: Peaks = (np.arange(LIMITER_BLOCK) / LIMITER_BLOCK).astype(np.float32)


@dataclass(frozen=True)
class Mastered:
    """A mix at its final level; `gain_db` was applied, `loudness` is in LUFS and `true_peak` in dBTP, None for silence.
    `remark` says why target and ceiling do not both hold; empty when they do. If it is `limited`, `levels` are the
    limiter's factors, gain included, at the edges of its blocks of `LIMITER_BLOCK` frames with lines between them."""

    sound: Planar
    gain_db: float
    loudness: float | None
    true_peak: float | None
    limited: bool = False
    remark: str = ""
    levels: Peaks | None = None


def master(sound: Planar, target: float, check: Callable[[], None]) -> Mastered:
    """Bring a mix to `target` LUFS with a true peak of at most `CEILING_DBTP`.

    A plain gain when that is enough; else a look-ahead limiter, with the gain raised until both hold.
    `check` is called between the measurements, so that it can end the work by raising.
    """
    loudness = integrated_loudness(sound)
    check()
    peak = true_peak(sound)
    if loudness is None or peak is None:
        return Mastered(sound, 0.0, None, peak, remark="the mix is silent")
    gain = min(target - loudness, MOST_GAIN_DB)
    remark = "" if gain < MOST_GAIN_DB else f"the mix is {target - loudness:.0f} dB below its target"
    if peak + gain <= CEILING_DBTP:
        return Mastered(_amplified(sound, gain), gain, loudness + gain, peak + gain, remark=remark)
    return _limited(sound, target, gain, check)


def _limited(sound: Planar, target: float, gain: float, check: Callable[[], None]) -> Mastered:
    ceiling = CEILING_DBTP - _MARGIN_DB
    peaks = block_peaks(sound, 10 ** ((ceiling - _HEADROOM_DB - gain) / 20))
    best: Mastered | None = None
    for _ in range(_ROUNDS):
        check()
        levels = _limiter_levels(peaks, gain, ceiling)
        limited: Planar = sound * envelope(levels, 0, sound.shape[1])
        loudness = integrated_loudness(limited)
        check()
        peak = true_peak(limited)
        assert loudness is not None
        assert peak is not None
        over = max(0.0, peak - CEILING_DBTP)
        missing = target - loudness
        if over == 0 and (best is None or abs(missing) < abs(target - (best.loudness or 0))):
            best = Mastered(limited, gain, loudness, peak, limited=True, levels=levels)
        if over == 0 and abs(missing) < TOLERANCE_LU / 2:
            break
        ceiling -= over + (_MARGIN_DB if over else 0)
        gain = min(gain + missing, MOST_GAIN_DB)
    if best is None:
        safe = gain - _MARGIN_DB + CEILING_DBTP - (true_peak(_amplified(sound, gain)) or 0.0)
        quiet = _amplified(sound, safe)
        best = Mastered(quiet, safe, integrated_loudness(quiet), true_peak(quiet))
    if best.loudness is not None and abs(best.loudness - target) <= TOLERANCE_LU:
        return best
    remark = f"its peaks keep the mix at {best.loudness:.1f} LUFS instead of {target:.1f}"
    return replace(best, remark=remark)


def envelope(levels: Peaks, start: int, frames: int) -> Peaks:
    """The limiter's factor of each of `frames` frames from `start`; after its end the last one."""
    first, last = start // LIMITER_BLOCK, (start + frames - 1) // LIMITER_BLOCK
    edges = levels[np.minimum(np.arange(first, last + 2), len(levels) - 1)]
    lines = edges[:-1, None] + np.diff(edges)[:, None] * _RAMP
    offset = start - first * LIMITER_BLOCK
    factors: Peaks = lines.ravel()[offset : offset + frames]
    return factors


def _limiter_levels(peaks: Peaks, gain_db: float, ceiling_db: float) -> Peaks:
    """Gain, and a limiter whose gain falls within one block before a peak.

    It returns within 0.2 s to what it took on average of late: after a single stroke to nothing, amid many it stays.
    """
    factor, ceiling = 10 ** (gain_db / 20), 10 ** (ceiling_db / 20)
    wanted = np.minimum(1.0, ceiling / np.maximum(peaks.astype(np.float64) * factor, 1e-9))
    back, fade = (float(np.exp(-LIMITER_BLOCK / (span * SAMPLE_RATE))) for span in (_RELEASE_SECONDS, _MEAN_SECONDS))
    held, taken, mean = [], 0.0, 0.0
    for need in (1.0 - wanted).tolist():
        mean = need + (mean - need) * fade
        taken = max(need, mean + max(0.0, taken - mean) * back)
        held.append(1 - taken)
    # Each edge takes the lower of its two blocks, so that the line inside a block never exceeds what it may.
    edges = np.minimum([*held, held[-1]], [held[0], *held])
    return (edges * factor).astype(np.float32)


def _amplified(sound: Planar, gain_db: float) -> Planar:
    amplified: Planar = sound * np.float32(10 ** (gain_db / 20))
    return amplified
