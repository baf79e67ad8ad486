"""The look at a database file before it is opened for writing: a bad file is never touched."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from agent.message import msg
from app.private_files import make_private_folder
from app.storage.backups import Backups
from app.storage.errors import StorageError
from app.storage.explain import damaged, explain, missing, unreadable, unwritable
from app.storage.schema import APPLICATION_ID, schema_of

_MAGIC = b"SQLite format 3\x00"
_CODE = re.compile(r"error code=(\d+)")
_BUSY_SECONDS = 5.0


def make_folders(*folders: Path) -> None:
    """Create folders that only the user can access. Raises `StorageError`, which names the folder that cannot be
    made."""
    for folder in folders:
        try:
            make_private_folder(folder)
        except OSError as error:
            raise unwritable(folder, error.strerror or str(error)) from error


def inspect_file(file: Path, backups: Backups) -> str | None:
    """The schema version of a sound database; None for a file that does not exist yet. Raises `StorageError` for a file
    that is damaged, was not made by Bandleader, or cannot be written."""
    try:
        is_there = file.exists()
        if is_there and not file.is_file():
            # A pipe would wait for its other end.
            raise unwritable(file, "it is a folder, a pipe or a device, not a file")
        size = file.stat().st_size if is_there else 0
        magic = _head(file) if size else b""
    except OSError as error:
        raise unwritable(file, error.strerror or str(error)) from error
    if size == 0:
        if backups.files():
            raise damaged(file, "it is empty", backups) if is_there else missing(file, backups)
        return None
    if magic != _MAGIC:
        raise damaged(file, "it is not a database", backups)
    if not os.access(file, os.W_OK):
        raise unwritable(file, "permission denied")
    try:
        # A read-only connection never folds a log into the file, so a damaged one stays as it was found.
        uri = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)) as raw:
            return look(raw, file, backups)
    except sqlite3.Error as error:
        raise explain(error, file, backups) from error
    except UnicodeDecodeError as error:
        raise damaged(file, "a text in it cannot be read", backups) from error


def _could_not_read(told: str) -> bool:
    """Whether SQLite's check has stumbled over the disk: then it knows nothing of what is written there."""
    return any(int(code) & 0xFF == sqlite3.SQLITE_IOERR for code in _CODE.findall(told))


def _head(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(16)


def look(raw: sqlite3.Connection, file: Path, backups: Backups) -> str | None:
    """The schema version of an open database, None if it has no tables. Raises as `inspect_file`."""
    found = raw.execute("PRAGMA quick_check(3)").fetchall()
    if found != [("ok",)]:
        told = str(found[0][0])
        raise unreadable(file, told, backups) if _could_not_read(told) else damaged(file, told, backups)
    application = raw.execute("PRAGMA application_id").fetchone()[0]
    empty = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if application != APPLICATION_ID and not (application == 0 and empty):
        raise StorageError(
            msg("{file} is not a database of Bandleader", file=file),
            why=msg("it belongs to another program; it was left as it is"),
            fix=msg("move it away, or set BANDLEADER_HOME to another folder"),
        )
    return schema_of(raw)
