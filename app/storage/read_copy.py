"""A database that cannot be written, as a copy in memory: its folder is read-only, or its disk is full."""

from __future__ import annotations

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
