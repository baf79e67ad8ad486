"""One window for each data folder: a second start raises the first one's."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from agent.message import msg
from app.window.claim_file import ClaimFile
from app.window.errors import WindowError
from app.window.meeting_place import new_address, peer_of, remove_left

if TYPE_CHECKING:
    # The first frame does not wait for the network's library.
    from PySide6.QtNetwork import QLocalServer

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
