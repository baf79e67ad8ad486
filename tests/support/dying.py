"""Ways to die in the middle of work, and a way to do that work wrongly."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

from agent.session.calling import Caller

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_CHANGES = ("os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")


def die_at(point: str, last: int) -> None:
    """Kill this process before point number `last`: a statement of the database, or a touch of the file system."""
    seen = 0

    def look() -> None:
        nonlocal seen
        seen += 1
        if seen >= last:
            os.kill(os.getpid(), signal.SIGKILL)

    _at_each(point, look)


def count(point: str, to: str) -> None:
    """Write the number of points passed to a file, one byte each."""
    file = Path(to).open("ab", buffering=0)  # noqa: SIM115 - open as long as the process lives
    _at_each(point, lambda: file.write(b"."))


def _at_each(point: str, look: Callable[[], Any]) -> None:
    if point == "touch":
        sys.addaudithook(lambda name, about: look() if _touches(name, about) else None)
        return

    @event.listens_for(Engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        connection.set_trace_callback(lambda _statement: look())


def _touches(name: str, about: tuple[Any, ...]) -> bool:
    """Whether an event of the interpreter is a change of the file system."""
    return name in _CHANGES or (name == "open" and isinstance(about[2], int) and bool(about[2] & _WRITES))


def commit_every_write() -> None:
    """The naive way: no transaction, each write is stored by itself."""
    connect = sqlite3.dbapi2.connect

    def naive(*arguments: Any, **named: Any) -> sqlite3.Connection:
        return connect(*arguments, **{"factory": _Naive, **named})

    sqlite3.dbapi2.connect = naive  # type: ignore[attr-defined]


def ask_nothing() -> None:
    """The careless way: what a crash broke off is done again without a look at the world."""

    async def not_there(*_: object) -> None:
        return None

    Caller.probed = not_there  # type: ignore[method-assign, assignment]


class _Naive(sqlite3.Connection):
    """A connection that knows no transactions."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        words = sql.split()
        return super().execute("SELECT 1" if words[0] in ("BEGIN", "COMMIT", "ROLLBACK") else sql, *parameters)
