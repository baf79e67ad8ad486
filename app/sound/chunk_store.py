"""Room for chunks: memory up to a budget, and behind it a file that the system pages in and out."""

from __future__ import annotations

import tempfile
from mmap import mmap
from threading import RLock
from weakref import finalize

import numpy as np
import numpy.typing as npt

Levels = npt.NDArray[np.int16]

MEMORY_BYTES = 512 * 1024**2
"""Bytes of levels held in memory: 3 minutes of 16 busy tracks (470 MB)."""
_SEGMENT = 32 * 1024**2


class ChunkStore:
    """Memory for chunks up to a budget in bytes, beyond it a mapped temporary file. Thread-safe.

    Arrays are kept for as long as someone uses them. Thanks to the file long songs cost page cache instead of memory;
    if there is no room for a file either, chunks stay in memory."""

    def __init__(self, budget: int = MEMORY_BYTES) -> None:
        self.used = 0
        """Bytes in memory."""
        self._budget = budget
        self._lock = RLock()  # an array may be let go while another is kept
        self._segment: mmap | None = None
        self._filled = 0

    def kept(self, levels: Levels) -> Levels:
        """Store levels in memory, or in the file once the budget is used up; returns an equal array, to be read
        only."""
        if not levels.size:
            return levels
        with self._lock:
            if self.used + levels.nbytes > self._budget:
                paged = self._paged(levels)
                if paged is not None:
                    return paged
            self.used += levels.nbytes
        finalize(levels, self._release, levels.nbytes).atexit = False
        return levels

    def _release(self, size: int) -> None:
        with self._lock:
            self.used -= size

    def _paged(self, levels: Levels) -> Levels | None:
        if self._segment is None or self._filled + levels.nbytes > _SEGMENT:
            self._segment = _new_segment()
            self._filled = 0
        if self._segment is None:
            return None
        copy: Levels = np.frombuffer(self._segment, np.int16, levels.size, self._filled).reshape(levels.shape)
        copy[...] = levels
        self._filled += levels.nbytes
        return copy


def _new_segment() -> mmap | None:
    """A piece of a file; it is freed when the last array in it is."""
    try:
        with tempfile.TemporaryFile(prefix="bandleader-") as file:
            file.write(bytes(_SEGMENT))  # a hole in a full disk would end the program when it is filled
            file.flush()
            return mmap(file.fileno(), _SEGMENT)
    except (OSError, ValueError):
        return None
