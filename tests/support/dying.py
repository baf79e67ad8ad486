"""Ways to die in the middle of work, and a way to do that work wrongly."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine


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
    connect = sqlite3.dbapi2.connect

    def naive(*arguments: Any, **named: Any) -> sqlite3.Connection:
        return connect(*arguments, **{"factory": _Naive, **named})

    sqlite3.dbapi2.connect = naive  # type: ignore[attr-defined]


class _Naive(sqlite3.Connection):
    """A connection that knows no transactions."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        words = sql.split()
        return super().execute("SELECT 1" if words[0] in ("BEGIN", "COMMIT", "ROLLBACK") else sql, *parameters)
