"""How loud sound is: integrated loudness and true peak, both after ITU-R BS.1770-4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import log10
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sound.fluid import Planar
from app.sound.part import SAMPLE_RATE

PEAK_BLOCK = 128
"""Frames of which `block_peaks` tells one peak."""

Peaks = npt.NDArray[np.float32]

_SILENCE = 1e-5

_SHELF_HZ, _SHELF_DB, _SHELF_Q = 1500.0, 4.0, 0.5**0.5
_HIGH_PASS_HZ = 38.0
_STEP = SAMPLE_RATE // 10  # between the beginnings of two gating blocks
_BLOCK_STEPS = 4
_PIECE_STEPS = 8  # filtered at once, so that they stay in the processor's cache
_OFFSET_LU = -0.691
_ABSOLUTE_LUFS, _RELATIVE_LU = -70.0, -10.0

_OVERSAMPLING = 4
_REACH = 10  # frames on each side that a value between two frames is made of
_BETA = 5.0  # of the Kaiser window
_SPAN = 32  # frames that are oversampled by one product
_BATCH = 4096


def decibels(amplitude: float) -> float | None:
    """Level of an amplitude in dBFS, or None below -100."""
    return 20 * log10(amplitude) if amplitude > _SILENCE else None


def integrated_loudness(sound: Planar) -> float | None:
    """Integrated loudness in LUFS of (2, frames), None for silence. Less than 0.4 s is padded with silence to that."""
    if not sound.size or max(float(sound.max()), -float(sound.min())) < _SILENCE:
        return None
    energy = np.concatenate([np.zeros(1), np.cumsum(list(_step_energies(sound)))])
    blocks = (energy[_BLOCK_STEPS:] - energy[:-_BLOCK_STEPS]) / (_BLOCK_STEPS * _STEP)
    blocks = blocks[blocks > _power(_ABSOLUTE_LUFS)]
    if not len(blocks):
        return None
    blocks = blocks[blocks > blocks.mean() * 10 ** (_RELATIVE_LU / 10)]
    return _OFFSET_LU + 10 * log10(float(blocks.mean()))


def _power(lufs: float) -> float:
    return float(10 ** ((lufs - _OFFSET_LU) / 10))


def _step_energies(sound: Planar) -> Iterator[float]:
    """The weighted energy of each tenth of a second, of both channels together."""
    filters = _weighting()
    steps = max(_BLOCK_STEPS, sound.shape[1] // _STEP)
    for first in range(0, steps, _PIECE_STEPS):
        frames = min(_PIECE_STEPS, steps - first) * _STEP
        piece = np.zeros((2, frames), np.float32)
        there = sound[:, first * _STEP : first * _STEP + frames]
        piece[:, : there.shape[1]] = there
        for one in filters:
            piece = one.process(piece, SAMPLE_RATE, buffer_size=_PIECE_STEPS * _STEP, reset=False)
        squares = np.square(piece, dtype=np.float64).reshape(2, -1, _STEP)
        yield from squares.sum(axis=(0, 2)).tolist()


def _weighting() -> list[Any]:
    """The K-weighting in the figures of pyloudnorm: a high shelf, and a high-pass whose two poles are one."""
    from pedalboard import HighpassFilter, HighShelfFilter

    shelf = HighShelfFilter(_SHELF_HZ, _SHELF_DB, _SHELF_Q)
    filters = [shelf, HighpassFilter(_HIGH_PASS_HZ), HighpassFilter(_HIGH_PASS_HZ)]
    for one in filters:
        # It forgets all at the first block that is larger than those before.
        size = _PIECE_STEPS * _STEP
        one.process(np.zeros((2, size), np.float32), SAMPLE_RATE, buffer_size=size)
    return filters


def true_peak(sound: Planar) -> float | None:
    """True peak in dBTP of (2, frames), None for silence: the largest frame after fourfold oversampling."""
    peaks = block_peaks(sound)
    return decibels(float(peaks.max())) if peaks.size else None


def block_peaks(sound: Planar, ceiling: float | None = None) -> Peaks:
    """The true peak of each `PEAK_BLOCK` frames of (2, frames), as amplitude.

    Only blocks within 6 dB of `ceiling`, or of the loudest frame, are oversampled; of the others it gives
    the sample peak, which is enough to find the peak of the whole and what a limiter must hold.
    """
    count = -(-sound.shape[1] // PEAK_BLOCK)
    if not count:
        return np.zeros(0, np.float32)
    padded = np.pad(sound, ((0, 0), (_REACH, count * PEAK_BLOCK - sound.shape[1] + _REACH)))
    inner = padded[:, _REACH:-_REACH].reshape(2, count, PEAK_BLOCK)
    peaks: Peaks = np.maximum(inner.max(axis=2), -inner.min(axis=2)).max(axis=0)
    loudest = float(peaks.max())
    chosen = np.flatnonzero(peaks >= min(loudest, ceiling or loudest) / 2)
    spans = np.lib.stride_tricks.sliding_window_view(padded, _SPAN + 2 * _REACH, axis=1)[:, ::_SPAN]
    each = np.arange(PEAK_BLOCK // _SPAN)
    for first in range(0, len(chosen), _BATCH):
        batch = chosen[first : first + _BATCH]
        finer = spans[:, batch[:, None] * len(each) + each] @ _between()
        peaks[batch] = np.maximum(peaks[batch], np.maximum(finer.max(axis=(0, 2, 3)), -finer.min(axis=(0, 2, 3))))
    return peaks


@cache
def _between() -> Peaks:
    """The matrix that makes the three values behind each frame of a span of it and of `_REACH` frames on each side."""
    taps = np.arange(-_REACH * _OVERSAMPLING, _REACH * _OVERSAMPLING + 1)
    sinc = np.sinc(taps / _OVERSAMPLING) * np.kaiser(len(taps), _BETA)
    sinc *= _OVERSAMPLING / sinc.sum()
    matrix = np.zeros((_SPAN + 2 * _REACH, _SPAN, _OVERSAMPLING))
    for frame in range(_SPAN):
        for place in range(matrix.shape[0]):
            distance = (place - _REACH - frame) * _OVERSAMPLING
            for part in range(_OVERSAMPLING):
                if abs(part - distance) <= _REACH * _OVERSAMPLING:
                    matrix[place, frame, part] = sinc[part - distance + _REACH * _OVERSAMPLING]
    made: Peaks = matrix.reshape(matrix.shape[0], -1).astype(np.float32)
    return made
