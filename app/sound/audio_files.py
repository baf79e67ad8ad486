"""Writes sound to files: WAV, FLAC, OGG and MP3, a folder or archive of stems; whole or not at all."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO

import numpy as np
import numpy.typing as npt

from agent.message import msg
from app.atomic_write import Permit, write_whole
from app.sound.errors import SoundError, SoundInputError
from app.sound.part import SAMPLE_RATE

Frames = npt.NDArray[np.float32]

_LONGEST_NAME = 200
"""Bytes of a stem's name; file systems allow 255 with number and ending."""
_CHUNK = 65_536  # libsndfile crashes when it gets a minute of OGG at once
_SUBTYPES: Mapping[str, tuple[str, str]] = MappingProxyType({
    "wav": ("WAV", "PCM_24"),
    "flac": ("FLAC", "PCM_24"),
    "ogg": ("OGG", "VORBIS"),
    "mp3": ("MP3", "MPEG_LAYER_III"),
})

FORMATS = tuple(_SUBTYPES)
"""The file name endings that `write_audio` knows."""


def write_audio(
    path: Path, sound: Frames, sample_rate: int = SAMPLE_RATE, permit: Permit | None = None
) -> None:
    """Write (frames, 2) in the format of the path's ending; WAV and FLAC have 24 bits.

    The file appears whole: on `SoundError` (disk full, folder not writable) an older file of that name is
    untouched. An existing file is replaced if `permit` lets it; an unknown ending is a `SoundInputError`.
    """
    ending = path.suffix.lower().lstrip(".")
    if ending not in _SUBTYPES:
        raise SoundInputError(
            msg("{path}: unknown audio format", path=path.name),
            fix=msg("end it in {formats}", formats=", ".join(FORMATS)),
        )
    _write(path, lambda file: _encode(file, sound, sample_rate, ending), permit)


def write_stems(
    target: Path, stems: Sequence[tuple[str, Frames]], sample_rate: int = SAMPLE_RATE, permit: Permit | None = None
) -> list[Path]:
    """Write each named stem as 24 bit WAV, numbered in order: `01 Warm pad.wav`.

    A target ending in .zip becomes one archive; else it is a folder, made if need be. Returns the files
    written. Each appears whole, as in `write_audio`.
    """
    files = stem_files(target, [name for name, _ in stems])
    if files == [target]:
        names = _numbered([name for name, _ in stems])
        _write(target, lambda file: _archive(file, names, stems, sample_rate), permit)
        return files
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _refused(target, error) from error
    for file, (_, sound) in zip(files, stems, strict=True):
        write_audio(file, sound, sample_rate, permit)
    return files


def stem_files(target: Path, names: Sequence[str]) -> list[Path]:
    """The files that `write_stems` writes for stems of these names."""
    if target.suffix.lower() == ".zip":
        return [target]
    return [target / name for name in _numbered(names)]


def _numbered(names: Sequence[str]) -> list[str]:
    return [f"{number:02} {_file_name(name)}.wav" for number, name in enumerate(names, 1)]


def _archive(
    file: IO[bytes], names: Sequence[str], stems: Sequence[tuple[str, Frames]], sample_rate: int
) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, (_, sound) in zip(names, stems, strict=True):
            content = io.BytesIO()
            _encode(content, sound, sample_rate, "wav")
            archive.writestr(name, content.getbuffer())


def _encode(file: IO[bytes], sound: Frames, sample_rate: int, ending: str) -> None:
    import soundfile

    container, subtype = _SUBTYPES[ending]
    sink = _Sink(file)
    try:
        kind = {"subtype": subtype, "format": container, **_quality(ending)}
        with soundfile.SoundFile(sink, "w", sample_rate, 2, **kind) as out:
            for start in range(0, len(sound), _CHUNK):
                out.write(np.ascontiguousarray(sound[start : start + _CHUNK]))
    except soundfile.SoundFileError as error:
        raise sink.refused or OSError(0, str(error)) from error
    if sink.refused:
        raise sink.refused


def _quality(ending: str) -> dict[str, object]:
    """Arguments of the encoder: MP3 at 320 kbit/s, OGG near quality 7."""
    if ending == "mp3":
        return {"compression_level": 0.0, "bitrate_mode": "CONSTANT"}
    return {"compression_level": 0.3} if ending == "ogg" else {}


class _Sink:
    """A file for libsndfile, which cannot pass on an exception: it is kept in `refused`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.refused: OSError | None = None

    def write(self, data: bytes) -> int:
        if self.refused is None:
            try:
                self._file.write(data)
            except OSError as error:
                self.refused = error
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        try:
            return self._file.seek(offset, whence)
        except OSError as error:
            self.refused = self.refused or error
            return 0

    def tell(self) -> int:
        return self._file.tell()

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def flush(self) -> None:
        """The caller flushes the file when all is written."""


def _write(path: Path, fill: Callable[[IO[bytes]], None], permit: Permit | None) -> None:
    try:
        write_whole(path, fill, permit=permit)
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> SoundError:
    return SoundError(
        msg("cannot write {path}", path=path),
        why=error.strerror or str(error),
        fix=msg("choose a folder that exists, can be written and has space"),
    )


def _file_name(name: str) -> str:
    plain = re.sub(r'[\x00-\x1f<>:"/\\|?*]+', "_", name).strip(" .")
    short = plain[:80].encode("utf-8", "ignore")[:_LONGEST_NAME].decode("utf-8", "ignore").strip(" .")
    return short or "track"
