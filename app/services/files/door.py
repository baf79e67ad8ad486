"""The protocol for access to files in allowed folders; implemented for each kind of system."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import IO, Literal, Protocol

from msgspec import Struct

from agent.message import msg
from app.services.files.errors import FileError
from app.services.files.places import Place

EntryKind = Literal["file", "folder", "link", "other"]
Fill = Callable[[IO[bytes]], object]
_CHUNK = 1 << 20


class FolderEntry(Struct, frozen=True):
    """An entry of a folder; `size` in bytes, `modified` in nanoseconds since 1970. Links are not followed."""

    name: str
    kind: EntryKind
    size: int = 0
    modified: int = 0


class Door(Protocol):
    """Access to files below allowed folders, which follows no link, even if folders are swapped for links meanwhile.
    Reads and writes the disk. All methods raise `FileError`; only regular files are opened."""

    def look(self, place: Place) -> FolderEntry | None:
        """The entry at a place; None if there is none. Raises `NotThere` if its folder does not exist."""
        ...

    def entries(self, place: Place) -> list[FolderEntry]:
        """The entries of a folder, sorted by name."""
        ...

    def reading(self, place: Place) -> AbstractContextManager[IO[bytes]]:
        """Context with a regular file opened for reading. Raises `FileError` for anything else."""
        ...

    def write(self, place: Place, fill: Fill, *, replace: bool) -> int:
        """Write a file by calling `fill`, atomically and synced to the disk; returns its size in bytes.

        An existing regular file is replaced only with `replace`, and unchanged if anything fails. The folder must
        exist. Errors of `fill` are passed on."""
        ...


def read_at_most(file: IO[bytes], most: int) -> bytes:
    """The bytes of a file up to `most`, whatever size it claims to have."""
    parts: list[bytes] = []
    left = most
    while left > 0 and (part := file.read(min(_CHUNK, left))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def read_whole(door: Door, place: Place, most: int) -> bytes:
    """All bytes of a file. Raises `FileError` for one with more than `most`."""
    with door.reading(place) as file:
        data = read_at_most(file, most + 1)
    if len(data) > most:
        raise FileError(
            msg("{shown} is too large", shown=place.shown), why=msg("at most {most:,} KiB are read", most=most >> 10),
        )
    return data
