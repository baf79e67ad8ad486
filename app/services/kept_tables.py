"""Kept tables: what the TOML files that ship come to, kept so that a new process need not parse them again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from app.atomic_write import read_whole, write_whole

_NAME = "tables.msgpack"
_LARGEST = 16 * 1024 * 1024
"""Bytes of the largest file that is read."""
_SEAL = 32
"""Bytes of the digest with which the file begins, over all that follows."""
_PACKED: msgspec.msgpack.Decoder[dict[str, bytes]] = msgspec.msgpack.Decoder(dict[str, bytes])
_TABLES: msgspec.msgpack.Decoder[dict[str, Any]] = msgspec.msgpack.Decoder(dict[str, Any])


class KeptTables:
    """A cache of parsed TOML files in the file `name` of `folder`, by the digest of their text. A changed text, or a
    cache file that is broken or cannot be read, is only parsed again."""

    def __init__(self, folder: Path, name: str = _NAME) -> None:
        self._file = folder / name
        self._known = _read(self._file)
        self._used: dict[str, bytes] = {}

    def has(self, text: str) -> bool:
        """Whether the tables of a text are in the cache."""
        return _digest(text) in self._known

    def of(self, text: str, parse: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        """The tables of a text, from the cache or made by `parse`, whose errors are passed on."""
        digest = _digest(text)
        packed = self._known.get(digest)
        if packed is not None:
            self._used[digest] = packed
            return _TABLES.decode(packed)
        tables = parse(text)
        if (packed := _packed(tables)) is not None:
            self._used[digest] = packed
        return tables

    def write(self) -> None:
        """Store the tables that were asked for, if any of them is new; does nothing if the folder cannot be written."""
        if self._used.keys() <= self._known.keys():
            return
        body = msgspec.msgpack.encode(self._used)
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._file, lambda file: file.write(_seal(body) + body))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8"), digest_size=_SEAL).hexdigest()


def _read(file: Path) -> Mapping[str, bytes]:
    try:
        content = read_whole(file, _LARGEST)
        body = content[_SEAL:]
        return _PACKED.decode(body) if content[:_SEAL] == _seal(body) else {}
    except (OSError, msgspec.DecodeError):
        return {}


def _seal(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_SEAL).digest()


def _packed(tables: dict[str, Any]) -> bytes | None:
    """Tables as they are kept; None where they would come back as others, as a date would."""
    try:
        packed = msgspec.msgpack.encode(tables)
        return packed if repr(_TABLES.decode(packed)) == repr(tables) else None
    except (msgspec.MsgspecError, OverflowError, TypeError, RecursionError):
        return None
