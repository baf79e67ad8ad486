"""What a fault of SQLite means for a person, by its name and never by its text."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from agent.message import msg
from app.storage.backups import Backups
from app.storage.errors import Busy, Damaged, NotWritable, Refused, StorageError

_LITTLE = 64 * 1024
"""Bytes: the room of the index that is shared by the programs at one database, twice."""


def explain(fault: sqlite3.Error, file: Path, backups: Backups) -> StorageError:
    """The error to raise for SQLite's error `fault` in the database `file`; `backups` are its copies, for the
    advice."""
    name = getattr(fault, "sqlite_errorname", "") or ""
    why = f"{fault} ({name})" if name else str(fault)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return damaged(file, why, backups)
    if name == "SQLITE_FULL" or (name.startswith("SQLITE_IOERR") and _is_full(file)):
        return NotWritable(
            msg("the disk of {file} is full", file=file),
            why=msg("nothing of the last change was stored"),
            fix=msg("free some space and retry"),
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Busy(
            msg("{file} is in use", file=file),
            why=msg("another program has been writing to it for too long"),
            fix=msg("close it and retry"),
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return unwritable(file, why)
    if name.startswith("SQLITE_IOERR"):
        return StorageError(
            msg("{file} cannot be read or written", file=file), why=why,
            fix=msg("check the disk; the last change was not stored"),
        )
    if name.startswith("SQLITE_CONSTRAINT"):
        return Refused(msg("{file} refused a change", file=file), why=why, fix=msg("nothing was stored; report this"))
    return StorageError(
        msg("{file} refused a statement", file=file), why=why, fix=msg("nothing was stored; report this"),
    )


def _is_full(file: Path) -> bool:
    """Whether its disk has no room for the few pages that the database needs beside it: SQLite calls that otherwise."""
    try:
        return shutil.disk_usage(file.parent).free < _LITTLE
    except OSError:
        return False


def damaged(file: Path, why: str, backups: Backups) -> Damaged:
    """The error for a file whose content is damaged, for the reason `why`; `backups` are its copies, for the advice."""
    why = f"{why}; it was left as it is"
    return Damaged(msg("the database {file} is damaged", file=file), why=why, fix=backups.advice())


def missing(file: Path, backups: Backups) -> Damaged:
    """The error for a file that does not exist while its backups do: a new, empty database would in time replace the
    backups."""
    return Damaged(
        msg("the database {file} is missing", file=file),
        why=msg("its backups are still there, in {folder}", folder=backups.folder),
        fix=msg("{advice}; to begin anew, move that folder away", advice=backups.advice()),
    )


def unreadable(file: Path, why: str, backups: Backups) -> StorageError:
    """The error for a file that cannot be read from the disk; the file itself may be undamaged."""
    return StorageError(
        msg("{file} cannot be read", file=file), why=msg("{why}; it was left as it is", why=why),
        fix=msg("check the disk and try again; if it stays so, {advice}", advice=backups.advice()),
    )


def unwritable(place: Path, why: str) -> NotWritable:
    """The error for a file or folder that cannot be written, for the reason `why`."""
    return NotWritable(
        msg("{place} cannot be written", place=place),
        why=why,
        fix=msg("check the permissions of its folder, or set BANDLEADER_HOME to a folder that you may write"),
    )
