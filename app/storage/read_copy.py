"""The files of a database: its write-ahead log, and a copy in memory where it cannot be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory


def copy_in_memory(file: Path) -> sqlite3.Connection:
    """A connection to a copy that holds all that was committed. Raises `sqlite3.Error` or `OSError`."""
    target = sqlite3.connect(":memory:")
    try:
        for read in _ways(file)[:-1]:
            with suppress(sqlite3.Error, OSError):
                read(target)
                return target
        _ways(file)[-1](target)
    except BaseException:
        target.close()
        raise
    return target


def _ways(file: Path) -> tuple[Callable[[sqlite3.Connection], None], ...]:
    """How the file may be read, the simplest first."""
    address = file.absolute().as_uri()
    log = file.with_name(f"{file.name}-wal")
    if not log.exists() or log.stat().st_size == 0:
        # Without a log the file is all, and nobody is writing.
        return (lambda target: _read(f"{address}?mode=ro&immutable=1", target),)
    return (
        lambda target: _read(f"{address}?mode=ro", target),
        # The index of the log is kept in memory then, where SQLite else needs room on the disk for it.
        lambda target: _read(f"{address}?mode=rw", target, alone=True),
        lambda target: _read_elsewhere(file, log, target),
    )


def _read(address: str, target: sqlite3.Connection, *, alone: bool = False) -> None:
    with closing(sqlite3.connect(address, uri=True)) as source:
        if alone:
            source.execute("PRAGMA locking_mode = EXCLUSIVE")
        source.backup(target)


def _read_elsewhere(file: Path, log: Path, target: sqlite3.Connection) -> None:
    with TemporaryDirectory() as folder:
        copy = Path(folder) / file.name
        shutil.copyfile(file, copy)
        shutil.copyfile(log, copy.with_name(log.name))
        _read(f"{copy.as_uri()}?mode=rw", target)


def read_ahead(database: Path) -> None:
    """Ask the system to load a database's write-ahead log into memory; returns at once, also if there is no log.

    Later writes overwrite parts of the log's pages; without this each of them would first wait until its page was read
    from the disk.
    """
    if not hasattr(os, "posix_fadvise"):
        return
    with suppress(OSError):
        log = os.open(f"{database}-wal", os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.posix_fadvise(log, 0, 0, os.POSIX_FADV_WILLNEED)
        finally:
            # No lock is lost by it: SQLite holds its locks on other files.
            os.close(log)


def lengthen(database: Path, size: int) -> None:
    """Fill a database's write-ahead log with zeros up to `size` bytes; nothing happens if it is as long, if there is
    none, or if the disk is full. The caller must hold the database's write lock.

    A commit that finds room in the log waits for the disk once; one that makes the log longer waits for the file's
    new length as well. SQLite reads a log up to the first frame that is not whole, so zeros say nothing.
    """
    with suppress(OSError), open(f"{database}-wal", "r+b", buffering=0) as log:
        end = log.seek(0, os.SEEK_END)
        lacking = max(0, size - end)
        # The last room on a disk is not for zeros.
        if log.write(bytes(lacking)) < lacking:
            log.truncate(end)
