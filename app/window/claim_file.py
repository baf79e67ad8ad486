"""The file that the window of a data folder holds locked: the system lets go of it when its process ends."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from agent.message import msg
from app.private_files import changeable_by_others, close_to_others, make_private_folder, mine, private_opener
from app.storage.file_locks import lock
from app.window.errors import WindowError

_HELD = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK, errno.EWOULDBLOCK})
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MOST = 4096
_START = 1
"""Offset of the text: on Windows the locked byte cannot be read by other processes."""


class ClaimFile:
    """A lock file, `path`, in a folder of the user alone. The process that holds the lock writes its id and address
    into it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def take(self) -> bool:
        """Try to lock the file; returns False if another process has it. Also True where no file can be locked: two
        windows are better than none. Raises `WindowError` if the folder belongs to another user."""
        try:
            make_private_folder(self._path.parent)
        except OSError:
            return True
        close_to_others(self._path.parent)
        self._refuse_stranger(self._path.parent, os.stat(self._path.parent))
        try:
            file = private_opener(str(self._path), _FLAGS)
        except OSError:
            self._refuse_odd()
            return True
        try:
            self._refuse_stranger(self._path, os.fstat(file))
            lock(file)
        except OSError as error:
            os.close(file)
            return error.errno not in _HELD
        except BaseException:
            os.close(file)
            raise
        self._file = file
        return True

    def write(self, address: str) -> None:
        """Write this process's id and the address where it listens (empty: nowhere yet). Does nothing without the
        lock."""
        if self._file is None:
            return
        with suppress(OSError):
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, f"\n{os.getpid()}\n{address}\n".encode("utf-8", "surrogateescape"))

    def read(self) -> tuple[int, str]:
        """The process that wrote last (0 if unknown), and the address where it listens (empty if unknown)."""
        said = b""
        with suppress(OSError), open(self._path, "rb") as file:
            file.seek(_START)
            said = file.read(_MOST)
        process, address, *rest = [*said.decode("utf-8", "surrogateescape").split("\n"), "", ""]
        # A line without its end is still being written.
        return int(process) if process.isdecimal() and process.isascii() else 0, address if len(rest) > 2 else ""

    def release(self) -> None:
        """Release the lock."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                os.ftruncate(file, 0)
            os.close(file)

    def _refuse_odd(self) -> None:
        with suppress(FileNotFoundError):
            self._refuse_stranger(self._path, os.lstat(self._path))

    def _refuse_stranger(self, path: Path, found: os.stat_result) -> None:
        if not mine(found):
            why = msg("it belongs to another user of this machine")
        elif changeable_by_others(found):
            why = msg("other users of this machine can change it")
        elif stat.S_ISLNK(found.st_mode) or not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            why = msg("it is no ordinary file")
        else:
            return
        raise WindowError(
            msg("{path} cannot be trusted to say whether Bandleader is open", path=path), why=why,
            fix=msg("remove {path}, or set BANDLEADER_HOME to a folder of your own", path=path),
        )
