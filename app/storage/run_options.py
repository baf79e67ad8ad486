"""Run options: how the request of a run is to be planned, and who works on its rows; the table is called `wish`."""

from __future__ import annotations

from sqlalchemy import Connection

from agent.song.ids import RunId
from app.storage.driver import raw

_PUT = "INSERT INTO wish (run, body) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET body = excluded.body"
_FIND = "SELECT body FROM wish WHERE run = ?"


def put(connection: Connection, run: RunId, body: str) -> None:
    """Store the options of a run; earlier ones are replaced. `body` is JSON."""
    raw(connection).execute(_PUT, (run, body))


def find(connection: Connection, run: RunId) -> str | None:
    """The options of a run as JSON, None where it has none."""
    row = raw(connection).execute(_FIND, (run,)).fetchone()
    return str(row[0]) if row else None
