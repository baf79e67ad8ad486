"""What every door to the files of allowed folders does; one for each kind of system."""

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
    """Something in a folder; `size` in bytes, `modified` in nanoseconds since 1970. A link is never looked behind."""

    name: str
    kind: EntryKind
    size: int = 0
    modified: int = 0


class Door(Protocol):
    """Opens places and follows no link on the way, also while someone swaps folders for links. Waits for the disk.

    All raise `FileError`; nothing but ordinary files is ever opened.
    """

    def look(self, place: Place) -> FolderEntry | None:
        """What is at a place, or None. Raises `NotThere` if its folder is not there."""
        ...

    def entries(self, place: Place) -> list[FolderEntry]:
        """What a folder holds, by name."""
        ...

    def reading(self, place: Place) -> AbstractContextManager[IO[bytes]]:
        """An ordinary file, open to be read."""
        ...

    def write(self, place: Place, fill: Fill, *, replace: bool) -> int:
        """Fill a file that then appears whole, forced to the disk; returns its size.

        An ordinary file of that name is replaced only if `replace` says so, and stays as it was if anything
        fails. The folder must be there. Errors of `fill` are passed on.
        """
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
