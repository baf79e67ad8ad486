"""What a fault of SQLite means for a person, by its name and never by its text."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from app.storage.backups import Backups
from app.storage.errors import Busy, Damaged, NotWritable, Refused, StorageError

_LITTLE = 64 * 1024
"""Bytes: the room of the index that is shared by the programs at one database, twice."""


def explain(fault: sqlite3.Error, file: Path, backups: Backups) -> StorageError:
    """The error to raise for a fault of the database `file`."""
    name = getattr(fault, "sqlite_errorname", "") or ""
    why = f"{fault} ({name})" if name else str(fault)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return damaged(file, why, backups)
    if name == "SQLITE_FULL" or (name.startswith("SQLITE_IOERR") and _is_full(file)):
        return NotWritable(
            f"the disk of {file} is full",
            why="nothing of the last change was stored",
            fix="free some space and retry",
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Busy(
            f"{file} is in use",
            why="another program has been writing to it for too long",
            fix="close it and retry",
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return unwritable(file, why)
    if name.startswith("SQLITE_IOERR"):
        return StorageError(
            f"{file} cannot be read or written", why=why, fix="check the disk; the last change was not stored"
        )
    if name.startswith("SQLITE_CONSTRAINT"):
        return Refused(f"{file} refused a change", why=why, fix="nothing was stored; report this")
    return StorageError(f"{file} refused a statement", why=why, fix="nothing was stored; report this")


def _is_full(file: Path) -> bool:
    """Whether its disk has no room for the few pages that the database needs beside it: SQLite calls that otherwise."""
    try:
        return shutil.disk_usage(file.parent).free < _LITTLE
    except OSError:
        return False


def damaged(file: Path, why: str, backups: Backups) -> Damaged:
    """The error for a file that is not what was written."""
    why = f"{why}; it was left as it is"
    return Damaged(f"the database {file} is damaged", why=why, fix=backups.advice())


def missing(file: Path, backups: Backups) -> Damaged:
    """The error for a file that is gone while its backups are there: a new one would in time push them out."""
    return Damaged(
        f"the database {file} is missing", why=f"its backups are still there, in {backups.folder}",
        fix=f"{backups.advice()}; to begin anew, move that folder away",
    )


def unreadable(file: Path, why: str, backups: Backups) -> StorageError:
    """The error for a file that the disk does not give; it may be whole."""
    return StorageError(
        f"{file} cannot be read", why=f"{why}; it was left as it is",
        fix=f"check the disk and try again; if it stays so, {backups.advice()}",
    )


def unwritable(place: Path, why: str) -> NotWritable:
    """The error for a file or folder that cannot be written."""
    return NotWritable(
        f"{place} cannot be written",
        why=why,
        fix="check the permissions of its folder, or set BANDLEADER_HOME to a folder that you may write",
    )
