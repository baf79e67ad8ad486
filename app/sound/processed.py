"""The sound of a track behind its effects, in pieces of 16 bits that a mixer can read at any moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from app.sound.effects import BLOCK
from app.sound.fluid import Planar

CHUNK = 32 * BLOCK
"""Frames of a chunk (0.68 s), the unit that is rendered again after an edit."""

_PEAK = 32767


@dataclass(frozen=True, eq=False)
class Chunk:
    """Up to `CHUNK` frames as 16-bit levels to multiply by `scale`; one row when both channels are equal.

    16 bits with a scale of their own lie 98 dB under the chunk's loudest frame, take half the memory of
    float32 and mix as fast (31 against 27 µs for 16 tracks; float16 takes 60). `energy` is the mean square
    of both channels, added. Silence has no frames.
    """

    levels: npt.NDArray[np.int16]
    scale: np.float32
    energy: float

    @property
    def frames(self) -> int:
        """Number of frames; the rest of the chunk is silent."""
        return int(self.levels.shape[1])


SILENT_CHUNK = Chunk(np.zeros((1, 0), np.int16), np.float32(0), 0.0)

Chunks = Mapping[int, Chunk]
"""Chunks by their index from the song's start; a missing one is not ready, or lies after the end."""
NO_CHUNKS: Chunks = MappingProxyType({})
Energies = npt.NDArray[np.float64]
"""The energy of each chunk from the song's start, 0 for one that is not ready."""
NO_ENERGIES: Energies = np.zeros(0)


def chunk_of(sound: Planar) -> Chunk:
    """A chunk of this sound (2, frames)."""
    peak = float(max(sound.max(), -sound.min())) if sound.size else 0.0
    if peak == 0.0:
        return SILENT_CHUNK
    rows = sound[:1] if np.array_equal(sound[0], sound[1]) else sound
    levels = rows * np.float32(_PEAK / peak)
    kept = np.rint(levels, out=levels).astype(np.int16)
    energy = sum(float(np.dot(row, row)) for row in sound) / CHUNK
    return Chunk(kept, np.float32(peak / _PEAK), energy)


def write_chunks(chunks: Chunks, start: int, sound: Planar) -> bool:
    """Overwrite `sound` (2, frames) with the frames from `start`; returns False if all of them are silent."""
    frames, heard = sound.shape[1], False
    done = 0
    while done < frames:
        number, offset = divmod(start + done, CHUNK)
        span = min(frames - done, CHUNK - offset)
        chunk = chunks.get(number)
        there = 0 if chunk is None else max(0, min(span, chunk.frames - offset))
        if chunk is not None and there:
            np.multiply(chunk.levels[:, offset : offset + there], chunk.scale, out=sound[:, done : done + there])
            heard = True
        sound[:, done + there : done + span] = 0
        done += span
    return heard
