"""Locks on open files, which the system lets go of when their process ends, however it ends."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    def lock(file: int, *, shared: bool = False) -> None:  # noqa: ARG001 - Windows knows only the one kind
        """Lock the first byte of a file, from where it is read. Raises `OSError` at once where another has it."""
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def lock(file: int, *, shared: bool = False) -> None:
        """Lock a file. Raises `OSError` at once where another has it, or its disk knows no locks."""
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
