"""The driver's own connection beneath SQLAlchemy's, for statements that run on every step of a run."""

from __future__ import annotations

import sqlite3
from typing import cast

from sqlalchemy import Connection


def raw(connection: Connection) -> sqlite3.Connection:
    """The SQLite connection; what it executes belongs to the transaction under way, or stands alone."""
    return cast("sqlite3.Connection", connection.connection.driver_connection)


def data_version(connection: Connection) -> int:
    """A number that changes when another process has committed to the database."""
    return int(raw(connection).execute("PRAGMA data_version").fetchone()[0])
