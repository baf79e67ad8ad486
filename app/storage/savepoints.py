"""A part of a transaction that the database may refuse without the rest of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.storage.driver import raw

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
