"""SQLite's write-ahead log as a file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


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
