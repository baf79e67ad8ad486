"""The driver's own connection beneath SQLAlchemy's, for statements that run on every step of a run."""

from __future__ import annotations

import sqlite3
from typing import Literal, TypeAlias, cast

from sqlalchemy import Connection

Synchronous: TypeAlias = Literal["FULL", "NORMAL"]
"""Whether a commit is on the disk when it returns, or only comes there after all before it."""


def raw(connection: Connection) -> sqlite3.Connection:
    """The SQLite connection below; what it executes belongs to the open transaction, if there is one."""
    return cast("sqlite3.Connection", connection.connection.driver_connection)


def data_version(connection: Connection) -> int:
    """A number that changes when another process has committed to the database."""
    return int(raw(connection).execute("PRAGMA data_version").fetchone()[0])


def set_synchronous(driver: sqlite3.Connection, level: Synchronous) -> None:
    """Set whether commits from now on wait for the disk (FULL) or not (NORMAL). Must not be called within a
    transaction."""
    # SQLite obeys while it compiles: a statement that the driver had kept would do nothing.
    driver.executescript(f"PRAGMA synchronous = {level}")


def write_the_head(connection: Connection) -> None:
    """Write the database's first page unchanged, so that the commit of this brings all earlier commits to the disk."""
    driver = raw(connection)
    [version] = driver.execute("PRAGMA user_version").fetchone()
    driver.execute(f"PRAGMA user_version = {version}")
