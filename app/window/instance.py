"""One window for each data folder: a second start raises the first one's."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCryptographicHash, QDir, QLockFile, QObject

from app.window.errors import WindowError

if TYPE_CHECKING:
    # The first frame does not wait for the network's library.
    from PySide6.QtNetwork import QLocalServer

_RAISE, _RAISED = b"raise\n", b"raised\n"
_PATIENCE = 5.0
"""Seconds that another window has to answer."""
_STEP = 100


class Instance(QObject):
    """This process's claim to be the window of a data folder.

    A lock file in the temporary folder says who was first; a lock or socket that a dead process left is taken over.
    """

    def __init__(self, data: Path, raise_window: Callable[[], None]) -> None:
        super().__init__()
        self._name = _name(data)
        self._raise = raise_window
        self._lock = QLockFile(QDir.temp().filePath(f"{self._name}.lock"))
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None

    def claim(self) -> bool:
        """True for the first; a later one has raised the first's window. Raises `WindowError` if that hangs."""
        until = time.monotonic() + _PATIENCE
        while not self._lock.tryLock(0):
            if self._lock.error() is not QLockFile.LockError.LockFailedError:
                # No lock can be kept here at all: two windows are better than none.
                return True
            if self._ask(until):
                return False
            if time.monotonic() >= until:
                raise self._hung()
            time.sleep(_STEP / 1000)
        return True

    def listen(self) -> None:
        """Hear later starts from now on; those that came meanwhile ask again until they are answered."""
        from PySide6.QtNetwork import QLocalServer

        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)
        # Whoever left a socket behind is gone, else the lock were not ours.
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)

    def release(self) -> None:
        """Let the next start be the first."""
        if self._server is not None:
            self._server.close()
        self._lock.unlock()

    def _ask(self, until: float) -> bool:
        """Ask the first to show itself; whether it did."""
        from PySide6.QtNetwork import QLocalSocket

        line = QLocalSocket()
        line.connectToServer(self._name)
        if not line.waitForConnected(_STEP):
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

    def _hung(self) -> WindowError:
        found = self._lock.getLockInfo()
        who = f"process {found[0]}" if isinstance(found, tuple) and found[0] else "another process"
        return WindowError(
            "Bandleader is open already, but does not answer", why=f"{who} holds this data folder's window",
            fix=f"wait a moment, or end {who} and start again; the song is safe",
        )

    def _answer(self) -> None:
        assert self._server is not None
        while (line := self._server.nextPendingConnection()) is not None:
            line.disconnected.connect(line.deleteLater)
            line.write(_RAISED)
            line.flush()
            self._raise()


def _name(data: Path) -> str:
    place = str(data)
    with suppress(OSError):
        place = str(data.resolve())
    # The temporary folder may be everyone's.
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    # Qt is loaded already, another library of ciphers is not.
    hashed = QCryptographicHash.hash(
        f"{user}:{place}".encode("utf-8", "surrogateescape"), QCryptographicHash.Algorithm.Sha256
    )
    return f"bandleader-{bytes(hashed.toHex().data()).decode('ascii')[:20]}"
