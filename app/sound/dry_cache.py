"""Dry sound of parts on disk: 16-bit frames with a scale, found by content hash, within a byte budget."""

from __future__ import annotations

import os
import struct
import tempfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from agent.message import msg
from app.private_files import make_private_folder
from app.sound.errors import SoundError
from app.sound.fluid import Planar

_HEADER = struct.Struct("<8sIIfI")
_MAGIC = b"BLDRY\x00\x00\x02"
_SUFFIX = ".dry"
_PIECE = 8192
DEFAULT_BUDGET = 2 * 1024**3
"""Default size of a cache in bytes."""


@dataclass(frozen=True)
class DryPart:
    """The dry sound of a part: 16-bit levels to multiply by `scale`; one row when both channels are equal."""

    levels: npt.NDArray[np.int16]
    scale: float

    @property
    def frames(self) -> int:
        """Length in frames."""
        return int(self.levels.shape[1])

    def add_to(self, sound: Planar, start: int) -> None:
        """Add it to `sound` from frame `start`, in pieces that stay in the processor's cache."""
        for first in range(0, self.frames, _PIECE):
            piece = self.levels[:, first : first + _PIECE].astype(np.float32)
            piece *= np.float32(self.scale)
            at = start + first
            sound[:, at : at + piece.shape[1]] += piece

    def add_piece(self, sound: Planar, frame: int, start: int) -> None:
        """Add what overlaps `sound`; this part begins at song frame `frame`, `sound` at `start`."""
        first, last = max(start, frame), min(start + sound.shape[1], frame + self.frames)
        if first < last:
            piece = self.levels[:, first - frame : last - frame].astype(np.float32)
            piece *= np.float32(self.scale)
            sound[:, first - start : last - start] += piece


class DryCache:
    """A folder of dry parts. Several processes may share it: entries appear whole or not at all.

    The noise of 16 bits lies 98 dB under the loudest frame of each part, and what is read back is the same
    whether it was just rendered or is years old.
    """

    def __init__(self, folder: Path, budget: int = DEFAULT_BUDGET) -> None:
        self._folder = folder
        self._budget = budget

    def has(self, key: str) -> bool:
        """Whether an entry exists; it may still turn out to be damaged when read."""
        return self._path(key).is_file()

    def read(self, key: str) -> DryPart | None:
        """The sound of an entry, or None when it is missing or damaged (a damaged one is removed)."""
        path = self._path(key)
        try:
            data = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        part = _decoded(data)
        if part is None:
            with suppress(OSError):
                path.unlink()
        return part

    def write(self, key: str, sound: Planar) -> None:
        """Store an entry; `SoundError` when the disk refuses."""
        path = self._path(key)
        temporary = ""
        try:
            make_private_folder(path.parent)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
            with os.fdopen(handle, "wb") as file:
                file.writelines(_encoded(sound))
            os.replace(temporary, path)
        except OSError as error:
            with suppress(OSError):
                Path(temporary).unlink()
            raise SoundError(
                msg("cannot write the sound cache {folder}", folder=self._folder),
                why=error.strerror or str(error),
                fix=msg("free some space there, or set BANDLEADER_HOME to a folder that can be written"),
            ) from error

    def trim(self) -> None:
        """Remove entries, least recently used first, until the rest fits the budget."""
        entries = []
        for path in self._folder.glob(f"*/*{_SUFFIX}"):
            with suppress(OSError):
                status = path.stat()
                entries.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self._budget:
                return
            with suppress(OSError):
                path.unlink()
            total -= size

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / (key + _SUFFIX)


def _encoded(sound: Planar) -> tuple[bytes, bytes]:
    peak = float(max(sound.max(), -sound.min())) if sound.size else 0.0
    scale = peak / 32767 if peak else 1.0
    rows = sound[:1] if np.array_equal(sound[0], sound[1]) else sound
    levels = rows * np.float32(1 / scale)
    body = np.rint(levels, out=levels).astype("<i2").tobytes()
    return _HEADER.pack(_MAGIC, len(rows), sound.shape[1], scale, zlib.crc32(body)), body


def _decoded(data: bytes) -> DryPart | None:
    if len(data) < _HEADER.size:
        return None
    magic, rows, frames, scale, checksum = _HEADER.unpack_from(data)
    body = memoryview(data)[_HEADER.size :]
    if magic != _MAGIC or len(body) != rows * frames * 2 or zlib.crc32(body) != checksum:
        return None
    return DryPart(np.frombuffer(body, "<i2").reshape(rows, frames), scale)
