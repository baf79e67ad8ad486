"""Loudness and true peak are what other people's meters say."""

from __future__ import annotations

import numpy as np
import pyloudnorm
import pytest
from scipy.signal import resample_poly

from app.sound.fluid import Planar
from app.sound.meter import PEAK_BLOCK, block_peaks, integrated_loudness, true_peak

RATE = 48_000


def noise(seconds: float, level: float = 0.1) -> Planar:
    frames = int(seconds * RATE)
    return (np.random.default_rng(1).standard_normal((2, frames)) * level).astype(np.float32)


def sine(hertz: float, seconds: float, left: float = 0.5, right: float = 0.5, phase: float = 0.0) -> Planar:
    wave = np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE + phase)
    return np.stack((wave * left, wave * right)).astype(np.float32)


def with_pauses(seconds: float) -> Planar:
    """Loud and very soft stretches, which both gates leave out."""
    sound = noise(seconds)
    soft = np.arange(sound.shape[1]) // (RATE // 2) % 3
    return np.asarray(sound * np.float32([1, 1e-2, 1e-5])[soft], np.float32)


SOUNDS = {
    "noise": noise(3.3),
    "a tenth of a second of it": noise(0.1),
    "its length just over one block": noise(0.41),
    "loud, soft and nothing": with_pauses(9),
    "a deep bass": sine(30, 2),
    "a tone": sine(997, 2),
    "a tone on one side": sine(997, 2, right=0),
    "a bright tone": sine(9000, 2),
}


@pytest.mark.parametrize("sound", SOUNDS.values(), ids=SOUNDS.keys())
def test_loudness_is_what_another_meter_measures(sound: Planar) -> None:
    shortest = int(0.4 * RATE) + 1
    padded = np.pad(sound, ((0, 0), (0, max(0, shortest - sound.shape[1]))))
    theirs = pyloudnorm.Meter(RATE).integrated_loudness(padded.T)
    assert integrated_loudness(sound) == pytest.approx(theirs, abs=0.01)


def test_a_full_tone_on_one_side_is_three_units_under_full_scale() -> None:
    assert integrated_loudness(sine(997, 5, 1, 0)) == pytest.approx(-3.01, abs=0.1)


@pytest.mark.parametrize("sound", [noise(0), noise(1, 1e-7), sine(5, 2, 1e-3, 1e-3)], ids=["none", "faint", "too deep"])
def test_silence_has_no_loudness(sound: Planar) -> None:
    assert integrated_loudness(sound) is None


@pytest.mark.parametrize("sound", SOUNDS.values(), ids=SOUNDS.keys())
def test_the_true_peak_is_that_of_four_times_the_rate(sound: Planar) -> None:
    theirs = 20 * np.log10(np.abs(resample_poly(sound.astype(np.float64), 4, 1, axis=1)).max())
    assert true_peak(sound) == pytest.approx(float(theirs), abs=1e-3)


def test_a_peak_between_two_frames_is_found() -> None:
    between = sine(RATE / 4, 1, 0.5, 0.5, np.pi / 4)
    assert 20 * np.log10(np.abs(between).max()) == pytest.approx(-9.03, abs=0.01)
    assert true_peak(between[:, 100:-100]) == pytest.approx(-6.02, abs=0.7)
    assert block_peaks(between)[10:-10] == pytest.approx(0.5, abs=1e-3)


def test_each_block_has_its_own_peak_and_a_soft_one_that_of_its_frames() -> None:
    sound = np.zeros((2, 10 * PEAK_BLOCK - 5), np.float32)
    sound[1, 3 * PEAK_BLOCK + 7], sound[0, 7 * PEAK_BLOCK + 1] = -0.9, 0.01
    peaks = block_peaks(sound)
    assert len(peaks) == 10
    assert peaks[3] == pytest.approx(0.9, abs=1e-3)
    assert peaks[7] == np.float32(0.01)
    assert not peaks[[0, 1, 2, 4, 5, 6, 8, 9]].any()
