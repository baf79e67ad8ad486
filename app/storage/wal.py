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
