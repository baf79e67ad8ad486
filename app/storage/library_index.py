"""The index of the user's own MIDI files and samples: folders, files, and the tags that a person gave."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select, update

from app.storage.records import stamp
from app.storage.rows import record, values
from app.storage.tables import LibraryFileRow, LibraryFolderRow, LibraryTagRow, table

FileKind = Literal["midi", "sample"]
_AT_ONCE = 500


class LibraryFolder(Struct, frozen=True):
    """A folder by its absolute path; `indexed` is when its last complete scan ended, None for never."""

    path: str
    created: str
    indexed: str | None = None


class LibraryFile(Struct, frozen=True):
    """What is known of a file; None is not known.

    `size` in bytes, `modified` in nanoseconds since 1970, `tempo` in quarter notes a minute, `fault` why it could
    not be read. `tags` follow from names and content.
    """

    path: str
    folder: str
    kind: FileKind
    name: str
    size: int
    modified: int
    tags: tuple[str, ...] = ()
    tempo: float | None = None
    key: str | None = None
    meter: str | None = None
    seconds: float | None = None
    notes: int | None = None
    fault: str = ""


def add_folder(connection: Connection, path: str) -> LibraryFolder:
    """Store a folder that is not stored yet."""
    folder = LibraryFolder(path, stamp())
    connection.execute(insert(table(LibraryFolderRow)), values(folder))
    return folder


def forget_folder(connection: Connection, path: str) -> None:
    """Remove a folder and what is known of its files; tags that a person gave stay."""
    files, folders = table(LibraryFileRow), table(LibraryFolderRow)
    connection.execute(delete(files).where(files.c.folder == path))
    connection.execute(delete(folders).where(folders.c.path == path))


def folders(connection: Connection) -> tuple[LibraryFolder, ...]:
    """All folders by path."""
    rows = table(LibraryFolderRow)
    found = connection.execute(select(rows).order_by(rows.c.path)).mappings()
    return tuple([record(row, LibraryFolder, f"library folder {row['path']}") for row in found])


def note_indexed(connection: Connection, path: str) -> None:
    """Store that the scan of a folder has just been completed."""
    rows = table(LibraryFolderRow)
    connection.execute(update(rows).where(rows.c.path == path).values(indexed=stamp()))


def known(connection: Connection, folder: str) -> dict[str, tuple[int, int]]:
    """(size in bytes, time of change in nanoseconds) of every indexed file of a folder, by path."""
    rows = table(LibraryFileRow)
    found = connection.execute(select(rows.c.path, rows.c.size, rows.c.modified).where(rows.c.folder == folder))
    return {path: (size, modified) for path, size, modified in found}


def put_files(connection: Connection, files: Collection[LibraryFile]) -> None:
    """Store files of the library, in place of what was known of them."""
    if files:
        drop_files(connection, [file.path for file in files])
        rows = [{**values(file), "tags": msgspec.json.encode(file.tags).decode()} for file in files]
        connection.execute(insert(table(LibraryFileRow)), rows)


def drop_files(connection: Connection, paths: Iterable[str]) -> None:
    """Forget files that are gone; tags that a person gave stay, for when they come back."""
    rows, gone = table(LibraryFileRow), list(paths)
    for start in range(0, len(gone), _AT_ONCE):
        connection.execute(delete(rows).where(rows.c.path.in_(gone[start : start + _AT_ONCE])))


def files(connection: Connection, kinds: Collection[FileKind] = ("midi", "sample")) -> tuple[LibraryFile, ...]:
    """All files of these kinds by path, with the tags that a person gave."""
    rows = table(LibraryFileRow)
    given = own_tags(connection)
    wanted = select(rows).where(rows.c.kind.in_(kinds)).order_by(rows.c.path)
    # A few rows at a time: fetching all of a large library at once would hold up every other thread.
    found = connection.execute(wanted.execution_options(yield_per=_AT_ONCE)).mappings()
    return tuple([_file(dict(row), given.get(row["path"], ())) for row in found])


def counts(connection: Connection) -> dict[str, tuple[int, int, int]]:
    """(usable MIDI files, usable samples, files that cannot be read) by folder."""
    rows = table(LibraryFileRow)
    told: dict[str, list[int]] = {}
    fine = rows.c.fault == ""
    wanted = select(rows.c.folder, rows.c.kind, fine, func.count()).group_by(rows.c.folder, rows.c.kind, fine)
    for folder, kind, usable, count in connection.execute(wanted):
        told.setdefault(folder, [0, 0, 0])[2 if not usable else 0 if kind == "midi" else 1] += count
    return {folder: (midi, samples, faults) for folder, (midi, samples, faults) in told.items()}


def holds(connection: Connection, path: str) -> bool:
    """Whether a file is in the index."""
    rows = table(LibraryFileRow)
    return connection.execute(select(rows.c.path).where(rows.c.path == path)).first() is not None


def own_tags(connection: Connection) -> Mapping[str, tuple[str, ...]]:
    """The tags that a person gave, by path of the file."""
    rows = table(LibraryTagRow)
    given: dict[str, tuple[str, ...]] = {}
    for path, tag in connection.execute(select(rows.c.path, rows.c.tag).order_by(rows.c.path, rows.c.tag)):
        given[path] = (*given.get(path, ()), tag)
    return given


def tag(connection: Connection, path: str, tags: Iterable[str]) -> None:
    """Add tags to those that a person gave a file."""
    rows = table(LibraryTagRow)
    for one in tags:
        connection.execute(delete(rows).where(rows.c.path == path, rows.c.tag == one))
        connection.execute(insert(rows), {"path": path, "tag": one})


def untag(connection: Connection, path: str, tags: Iterable[str]) -> int:
    """Remove tags that a person gave a file; returns how many of them it had."""
    rows = table(LibraryTagRow)
    gone = [connection.execute(delete(rows).where(rows.c.path == path, rows.c.tag == one)).rowcount for one in tags]
    return sum(gone)


def _file(row: dict[str, object], given: tuple[str, ...]) -> LibraryFile:
    try:
        found = msgspec.json.decode(str(row["tags"]), type=tuple[str, ...])
    except (msgspec.DecodeError, RecursionError):
        # What follows from the file can be read anew at any time: it is no reason to lose the rest.
        found = ()
    return msgspec.convert({**row, "tags": (*found, *(one for one in given if one not in found))}, LibraryFile)
