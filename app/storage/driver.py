"""SQLite's driver, and a part of a transaction that it may refuse without the rest of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar, cast

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

T = TypeVar("T")
_OF_THE_VALUES = (
    sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError, UnicodeEncodeError, OverflowError,
)


class RejectedValues(Struct, frozen=True):
    """The database refused the values; `why` is SQLite's message."""

    why: str


def attempt(transaction: Connection, work: Callable[[], T]) -> T | RejectedValues:
    """The result of `work`, or why the database refused the values that it would store; nothing of it is stored then.

    Other errors, such as those of the disk, are raised.
    """
    driver = raw(transaction)
    driver.execute("SAVEPOINT part")
    try:
        made = work()
    except (*_OF_THE_VALUES, DBAPIError) as fault:
        if not isinstance(fault.orig if isinstance(fault, DBAPIError) else fault, _OF_THE_VALUES):
            raise
        driver.execute("ROLLBACK TO part")
        driver.execute("RELEASE part")
        return RejectedValues(str(fault.orig if isinstance(fault, DBAPIError) else fault))
    driver.execute("RELEASE part")
    return made


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
