"""One window for each data folder: a second start raises the first one's."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from agent.message import msg
from app.private_files import changeable_by_others, close_to_others, make_private_folder, mine, private_opener
from app.storage.file_locks import lock
from app.window.errors import WindowError
from app.window.meeting_place import new_address, peer_of, remove_left

if TYPE_CHECKING:
    # The first frame does not wait for the network's library.
    from PySide6.QtNetwork import QLocalServer


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


_RAISE, _RAISED = b"raise\n", b"raised\n"
_PATIENCE = 5.0
"""Seconds that another instance has to answer."""
_STEP = 100


class Instance(QObject):
    """Lets only one process open a window on a data folder; a later start raises the first one's window by calling its
    `raise_window`. A lock file in `running`, a folder of the user alone, tells who was first and where it listens."""

    def __init__(self, running: Path, raise_window: Callable[[], None], environment: Mapping[str, str]) -> None:
        super().__init__()
        self._running = running
        self._raise = raise_window
        self._environment = environment
        self._file = ClaimFile(running / "window.lock")
        self._address = ""
        self._server: QLocalServer | None = None
        self._stranger = False

    def claim(self) -> bool:
        """True if this process is the first; False if another has raised its window. Raises `WindowError` if the other
        one hangs or belongs to another user."""
        until = time.monotonic() + _PATIENCE
        while not self._file.take():
            if self._ask(until):
                return False
            if time.monotonic() >= until:
                raise self._unanswered()
            time.sleep(_STEP / 1000)
        remove_left(self._file.read()[1])
        self._file.write("")
        return True

    def listen(self) -> None:
        """Answer later starts from now on; those that came before keep asking until they are answered."""
        from PySide6.QtNetwork import QLocalServer

        try:
            self._address = new_address(self._running, self._environment)
        except OSError:
            # Later starts say that this window does not answer.
            return
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)
        if self._server.listen(self._address):
            self._file.write(self._address)

    def release(self) -> None:
        """Release the claim, so that the next start is the first."""
        if self._server is not None:
            self._server.close()
        remove_left(self._address)
        self._file.release()

    def _ask(self, until: float) -> bool:
        """Ask the first to show itself; whether it did."""
        from PySide6.QtNetwork import QLocalSocket

        address = self._file.read()[1]
        if not address:
            return False
        line = QLocalSocket()
        line.connectToServer(address)
        if not line.waitForConnected(_STEP):
            return False
        user = peer_of(int(line.socketDescriptor()))
        self._stranger = user is not None and user != os.geteuid()
        if self._stranger:
            return False
        line.write(_RAISE)
        line.waitForBytesWritten(_STEP)
        heard = b""
        # The answer may have come while the question was on its way: what comes later is waited for after a look.
        while not (heard := heard + bytes(line.readAll().data())).startswith(_RAISED):
            if time.monotonic() >= until or line.state() is not QLocalSocket.LocalSocketState.ConnectedState:
                return False
            line.waitForReadyRead(_STEP)
        return True

    def _unanswered(self) -> WindowError:
        process, address = self._file.read()
        who = f"process {process}" if process else "another process"
        if self._stranger:
            return WindowError(
                msg("a program of another user answers in place of Bandleader's window"),
                why=msg("it listens at {address}", address=address),
                fix=msg("end {who} and start again; the song is safe", who=who),
            )
        return WindowError(
            msg("Bandleader is open already, but does not answer"),
            why=msg("{who} holds this data folder's window", who=who),
            fix=msg("wait a moment, or end {who} and start again; the song is safe", who=who),
        )

    def _answer(self) -> None:
        assert self._server is not None
        while (line := self._server.nextPendingConnection()) is not None:
            line.disconnected.connect(line.deleteLater)
            # What is said has happened.
            self._raise()
            line.write(_RAISED)
            line.flush()
