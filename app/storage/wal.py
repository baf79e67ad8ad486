"""SQLite's write-ahead log as a file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def read_ahead(database: Path) -> None:
    """Ask the system to bring the log of a database into its memory; returns at once, and where there is none.

    What is stored is written over it. Its frames do not begin where the system's pages do, so each of them would wait
    for its place to be read where the system has put that out of its memory meanwhile.
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
