"""Measuring sound files with other people's meters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyloudnorm
import soundfile
from scipy.signal import resample_poly


def loudness(path: Path) -> float:
    """Integrated loudness in LUFS."""
    samples, rate = soundfile.read(path)
    return float(pyloudnorm.Meter(rate).integrated_loudness(samples))


def true_peak(path: Path) -> float:
    """Highest level between the samples too, in dBTP, at four times the rate."""
    samples, _ = soundfile.read(path)
    return float(20 * np.log10(np.abs(resample_poly(samples, 4, 1)).max()))


def loudest_second(path: Path) -> float:
    """RMS of the loudest second, in dBFS."""
    samples, rate = soundfile.read(path, always_2d=True)
    power = (samples**2).mean(axis=1)
    whole = power[: max(1, len(power) // rate) * rate]
    seconds = whole.reshape(-1, rate) if len(whole) >= rate else whole.reshape(1, -1)
    return float(10 * np.log10(seconds.mean(axis=1).max() + 1e-12))


def centroid(path: Path) -> float:
    """Mean frequency of the spectrum in Hz, weighted by magnitude, over all that sounds."""
    samples, rate = soundfile.read(path, always_2d=True)
    mono = samples.mean(axis=1)
    size = 4096
    frames = mono[: len(mono) // size * size].reshape(-1, size) * np.hanning(size)
    magnitudes = np.abs(np.fft.rfft(frames, axis=1)).sum(axis=0)
    return float((np.fft.rfftfreq(size, 1 / rate) * magnitudes).sum() / magnitudes.sum())
