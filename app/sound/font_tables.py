"""The tables of a SoundFont, read within bounds: which sounds it has, and whether all that it points at is there.

What a stranger made is looked through here before a synthesizer, which trusts it, opens it.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import IO

from agent.message import msg
from app.sound.errors import SoundInputError

MOST_BYTES = 2 * 1024**3
"""Largest file in bytes: the synthesizer maps what it plays into memory."""
MOST_TABLES = 64 * 1024**2
"""Most bytes of all tables together; those of the largest banks take a twentieth."""
_MOST_CHUNKS = 64
_RECORDS: Mapping[bytes, int] = {
    b"phdr": 38, b"pbag": 4, b"pmod": 10, b"pgen": 4, b"inst": 22, b"ibag": 4, b"imod": 10, b"igen": 4, b"shdr": 46,
}
"""Bytes of a record of each table; the last record only terminates the table."""
_INSTRUMENT, _SAMPLE = 41, 53
_PACKED, _ROM = 0x10, 0x8000

Preset = tuple[int, int]
"""Bank and program."""


class _Broken(Exception):
    """What is wrong, in words."""


def presets_of(path: Path) -> tuple[Preset, ...]:
    """The presets of a SoundFont as (bank, program), lowest first.

    At most `MOST_TABLES` bytes are read. Raises `SoundInputError` for anything but a regular file with a complete
    SoundFont of at most `MOST_BYTES`."""
    try:
        size = _size(path)
        with path.open("rb") as file:
            tables, samples = _tables(file, size)
        return _presets(tables, samples)
    except _Broken as error:
        raise SoundInputError(
            msg("the SoundFont {path} cannot be used", path=path.name), why=str(error),
            fix=msg("choose another file, or get it again"),
        ) from None
    except OSError as error:
        raise SoundInputError(
            msg("the SoundFont {path} cannot be read", path=path.name), why=error.strerror or str(error),
            fix=msg("choose another file"),
        ) from error


def _size(path: Path) -> int:
    about = os.stat(path)
    if not stat.S_ISREG(about.st_mode):
        raise _Broken("it is a folder or a device, not a file")
    if about.st_size > MOST_BYTES:
        raise _Broken(f"it has {about.st_size / 1024**2:,.0f} MB, and at most {MOST_BYTES // 1024**2:,} are opened")
    return about.st_size


def _tables(file: IO[bytes], size: int) -> tuple[dict[bytes, bytes], int]:
    """The tables by their names, and how many bytes of samples there are."""
    header = file.read(12)
    if header[:4] != b"RIFF" or header[8:] != b"sfbk":
        raise _Broken("its header is not RIFF sfbk")
    tables: dict[bytes, bytes] = {}
    samples = 0
    for name, start, length in _chunks(file, 12, min(size, 8 + _number(header[4:8]))):
        file.seek(start)
        kind = file.read(4) if name == b"LIST" else b""
        if kind == b"pdta":
            tables = _inner(file, start, length)
        elif kind == b"sdta":
            samples = sum(more for inner, _, more in _chunks(file, start + 4, start + length) if inner == b"smpl")
    return tables, samples


def _inner(file: IO[bytes], start: int, length: int) -> dict[bytes, bytes]:
    if length > MOST_TABLES:
        raise _Broken(f"its tables have {length / 1024**2:,.0f} MB, and at most {MOST_TABLES // 1024**2} are read")
    found = {}
    for name, at, size in list(_chunks(file, start + 4, start + length)):
        file.seek(at)
        found[name] = file.read(size)
    return found


def _chunks(file: IO[bytes], at: int, end: int) -> list[tuple[bytes, int, int]]:
    """(name, start, length) of the chunks between two places of the file, each of which lies within them."""
    found: list[tuple[bytes, int, int]] = []
    while at + 8 <= end:
        file.seek(at)
        head = file.read(8)
        length = _number(head[4:])
        if len(head) < 8 or at + 8 + length > end:
            raise _Broken("it ends before all of it is there")
        found.append((head[:4], at + 8, length))
        if len(found) > _MOST_CHUNKS:
            raise _Broken(f"it has more than {_MOST_CHUNKS} parts")
        at += 8 + length
        # Packed banks leave out the byte that brings a chunk to an even length.
        file.seek(at)
        at += length % 2 if file.read(1) == b"\0" else 0
    return found


def _presets(tables: Mapping[bytes, bytes], samples: int) -> tuple[Preset, ...]:
    for name, size in _RECORDS.items():
        if not tables.get(name) or len(tables[name]) % size:
            raise _Broken(f"its table {name.decode()} is missing or broken")
    presets = list(struct.iter_unpack("<20xHHH12x", tables[b"phdr"]))
    instruments = [int(one[0]) for one in struct.iter_unpack("<20xH", tables[b"inst"])]
    _rises([int(bag) for _, _, bag in presets], tables[b"pbag"], "preset")
    _rises(instruments, tables[b"ibag"], "instrument")
    for bags, generators, changes in ((b"pbag", b"pgen", b"pmod"), (b"ibag", b"igen", b"imod")):
        pairs = list(struct.iter_unpack("<HH", tables[bags]))
        _rises([int(one) for one, _ in pairs], tables[generators], "zone")
        _rises([int(one) for _, one in pairs], tables[changes], "zone", _RECORDS[changes])
    _points(tables[b"pgen"], _INSTRUMENT, len(instruments) - 1, "instrument")
    _points(tables[b"igen"], _SAMPLE, len(tables[b"shdr"]) // _RECORDS[b"shdr"] - 1, "sample")
    _check_samples(tables[b"shdr"], samples)
    found = sorted({(int(bank), int(program)) for program, bank, _ in presets[:-1]})
    if not found:
        raise _Broken("it has no sounds")
    return tuple(found)


def _rises(indices: list[int], table: bytes, what: str, record: int = 4) -> None:
    """Each record begins where the one before it ends, and none behind its table."""
    if any(a > b for a, b in pairwise(indices)) or indices[-1] >= len(table) // record:
        raise _Broken(f"one {what} points at what is not there")


def _points(table: bytes, kind: int, count: int, what: str) -> None:
    if any(oper == kind and amount >= count for oper, amount in struct.iter_unpack("<HH", table)):
        raise _Broken(f"it plays {'an' if what[0] in 'aeiou' else 'a'} {what} that is not there")


def _check_samples(table: bytes, size: int) -> None:
    for start, end, rate, kind in list(struct.iter_unpack("<20xII8xI2x2xH", table))[:-1]:
        if kind & _ROM:
            continue
        most = size if kind & _PACKED else size // 2
        if start > end or end > most or not rate:
            raise _Broken("a sample lies outside of the file")


def _number(four: bytes) -> int:
    return int.from_bytes(four, "little")
