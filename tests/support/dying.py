"""Ways to die in the middle of work, and a way to do that work wrongly."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

from app.storage.database import Database


def die_at_statement(last: int) -> None:
    """Kill this process before the database carries out statement number `last`."""
    seen = 0

    def look(_statement: str) -> None:
        nonlocal seen
        seen += 1
        if seen >= last:
            os.kill(os.getpid(), signal.SIGKILL)

    _trace(look)


def count_statements(to: str) -> None:
    """Write the number of statements carried out to a file, one byte each."""
    file = Path(to).open("ab", buffering=0)  # noqa: SIM115 - open as long as the process lives
    _trace(lambda _statement: file.write(b"."))


def _trace(look: Callable[[str], Any]) -> None:
    @event.listens_for(Engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        connection.set_trace_callback(look)


def commit_every_write() -> None:
    """The naive way: no transaction, each write is stored by itself."""

    def transact(self: Database, work: Callable[[Connection], Any], _begin: str) -> Any:
        connection = self._connection
        assert connection is not None
        connection.info["begin"] = "SELECT 'no transaction'"
        with connection.begin():
            return work(connection)

    Database._transact = transact
