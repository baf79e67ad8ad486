"""The one local database: opened with care, used from one thread, every piece of work one transaction."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from agent.message import msg
from app.private_files import private_opener
from app.storage.backups import Backups, restore_point
from app.storage.checksums import checksum
from app.storage.driver import Synchronous, data_version, raw, set_synchronous, write_the_head
from app.storage.errors import BadText, Damaged, Gone, NotWritable, StorageError
from app.storage.explain import damaged, explain, unwritable
from app.storage.inspection import inspect_file, look, make_folders
from app.storage.read_copy import copy_in_memory, lengthen, read_ahead
from app.storage.schema import SCHEMA, migrate

T = TypeVar("T")
Transaction: TypeAlias = Connection
"""What a piece of work is given: the database inside one open transaction."""
_FAULTS = (sqlite3.Error, DBAPIError, UnicodeError, OverflowError)
_BUSY_SECONDS = 5.0
_LOG_PAGES = 500
"""Pages of 4 KiB before the log is folded in: a short one stays in the system's memory (`read_ahead`)."""
_LOG_BYTES = 32 + _LOG_PAGES * (24 + 4096)
"""How long the log is by then: its head, and each page with a head of its own."""


class Database:
    """An open database. Work is a function of a connection, run on one thread in one transaction.

    A `read` that changed rows is rolled back and refused; `write` holds the write lock from its start
    (`BEGIN IMMEDIATE`). Either all of a function's changes are stored when the call returns, or none, and the error
    that it raised is passed on.
    Faults of the disk come as `StorageError`, a file that was removed or replaced since it was opened as `Gone`.
    Cancelling a call does not stop a transaction under way.
    """

    def __init__(self, path: Path, backups: Path, synchronous: Synchronous, to_read: bool) -> None:
        self.path = path
        self.unwritable: NotWritable | None = None
        """Why nothing can be stored, where only a copy is read."""
        self.backups = Backups(backups)
        self._synchronous = synchronous
        self._to_read = to_read
        self._level = synchronous
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database")
        self._connection: Connection | None = None
        self._file = (0, 0)

    @classmethod
    def open(
        cls, path: Path, backups: Path, *, synchronous: Synchronous = "FULL", to_read: bool = False
    ) -> Database:
        """Open the file, create it, or bring it to today's schema; `backups` is the folder of its copies.

        Raises `StorageError` for a damaged, foreign, newer or unwritable file, which stays as it is.
        `synchronous` NORMAL may lose the last commits with the power, never the file. `to_read` is content with a
        copy in memory where the file cannot be written: `unwritable` says why, and is what every write raises.
        """
        database = cls(path, backups, synchronous, to_read)
        try:
            database._thread.submit(database._start).result()
        except BaseException:
            database._thread.shutdown()
            raise
        return database

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run work that only reads; it sees one state of the database."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, work, "BEGIN")

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run work that may write, and commit it."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._write, work)

    async def version(self) -> int:
        """A number that changes when another program has committed."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._version)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """As `read`, but blocks the calling thread until it is done; must not be called from within work."""
        return self._thread.submit(self._transact, work, "BEGIN").result()

    def write_now(self, work: Callable[[Connection], T]) -> T:
        """As `write`, but blocks the calling thread until it is done; must not be called from within work."""
        return self._thread.submit(self._write, work).result()

    def write_soon(self, work: Callable[[Connection], T]) -> Future[T]:
        """As `write`, but returns at once; the future holds the result. It is done before all work that is asked for
        later, and before `close`."""
        return self._thread.submit(self._write, work)

    def expect_writing(self) -> None:
        """Prepare the disk for much writing soon (see `read_ahead` and `lengthen`); returns at once, and does not tell
        whether it could be done."""
        self._thread.submit(self._prepare_the_log)

    def write_each(
        self, works: Iterator[Callable[[Connection], T]], stored: Callable[[Sequence[T]], None]
    ) -> Future[None]:
        """Carry out works in their order, each in a transaction of its own; returns at once.

        The iterator is asked on the database's thread, for one work ahead. The first work that fails ends it, and the
        future holds its error. At the end `stored` is called on that thread with the results of the works that are
        stored. With `synchronous` FULL they share one disk sync: the last commit brings all before it to the disk.
        """
        return self._thread.submit(self._transact_each, works, stored)

    def close(self) -> StorageError | None:
        """Close, after a backup if one is due; returns the error that prevented the backup, `Gone` if the file was
        removed, or None."""
        if self._connection is None:
            return None
        try:
            return self._thread.submit(self._finish).result()
        finally:
            self._thread.shutdown()

    def _start(self) -> None:
        try:
            self._start_to_write()
        except NotWritable as error:
            if not self._to_read or not self.path.is_file():
                raise
            self._start_to_read(error)
            self.unwritable = error
        self._file = _identity(self.path)

    def _start_to_read(self, refusal: NotWritable) -> None:
        try:
            copy = copy_in_memory(self.path)
            schema = look(copy, self.path, self.backups)
        except sqlite3.Error as error:
            told = explain(error, self.path, self.backups)
            raise (told if isinstance(told, Damaged) else refusal) from error
        except OSError as error:
            raise refusal from error
        engine = self._engine(lambda: copy)
        self._connection = engine.connect()
        if schema != SCHEMA:
            migrate(self._connection, self.path, schema, before=lambda: None)

    def _start_to_write(self) -> None:
        make_folders(self.path.parent, self.backups.folder)
        schema = inspect_file(self.path, self.backups)
        self._make_private()
        engine = self._engine()
        connection: Connection | None = None
        try:
            connection = engine.connect()
            if schema != SCHEMA:
                ours = raw(connection)
                migrate(connection, self.path, schema, before=lambda: self._backup(ours, schema))
        except BaseException as error:
            if connection is not None:
                connection.close()
            if isinstance(error, _FAULTS):
                raise self._explain(error) from error
            raise
        self._connection = connection

    def _make_private(self) -> None:
        """A new file is the user's alone; its log and index take its rights."""
        try:
            open(self.path, "ab", opener=private_opener).close()
        except OSError as error:
            raise unwritable(self.path, error.strerror or str(error)) from error

    def _engine(self, copy: Callable[[], sqlite3.Connection] | None = None) -> Engine:
        """To the file, or to a copy of it."""
        address = URL.create("sqlite", database=str(self.path) if copy is None else None)
        own = {} if copy is None else {"creator": copy}
        engine = create_engine(address, poolclass=NullPool, hide_parameters=True, **own)

        @event.listens_for(engine, "connect")
        def _prepare(connection: Any, _record: object) -> None:
            # The driver's own transactions begin late and deferred; ours begin where we say.
            connection.isolation_level = None
            connection.execute(f"PRAGMA busy_timeout = {int(_BUSY_SECONDS * 1000)}")
            _use_log(connection)
            connection.execute(f"PRAGMA synchronous = {self._synchronous}")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
            connection.create_function("checksum", -1, checksum, deterministic=True)

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            if not raw(connection).in_transaction:
                raw(connection).execute("BEGIN IMMEDIATE")

        return engine

    def _write(self, work: Callable[[Connection], T]) -> T:
        self._refuse_gone()
        return self._transact(work, "BEGIN IMMEDIATE")

    def _version(self) -> int:
        if self.unwritable is None:
            self._refuse_gone()
        return self._transact(data_version, "BEGIN")

    def _refuse_gone(self) -> None:
        if self.unwritable is not None:
            raise self.unwritable
        if self._connection is not None and (gone := self._gone()):
            raise gone

    def _gone(self) -> Gone | None:
        # The system lets a file be removed or replaced while it is open; SQLite would go on in the one without a name.
        if _identity(self.path) == self._file:
            return None
        return Gone(
            msg("{path} is gone", path=self.path),
            why=msg("it was moved, removed or replaced while the program was running"),
            fix=msg(
                "put it back; or start the program anew, and restore the newest backup in {folder}",
                folder=self.backups.folder,
            ),
        )

    def _transact_each(
        self, works: Iterator[Callable[[Connection], T]], stored: Callable[[Sequence[T]], None]
    ) -> None:
        self._refuse_gone()
        came_to: list[T] = []
        work = next(works, None)
        try:
            while work is not None:
                following = next(works, None)
                self._wait_for_the_disk(following is None)
                came_to.append(self._transact(work, "BEGIN IMMEDIATE"))
                work = following
        finally:
            self._wait_for_the_disk(True)
            if came_to and work is not None:
                # One that failed has brought nothing to the disk, and those before it did not wait.
                self._transact(write_the_head, "BEGIN IMMEDIATE")
            stored(came_to)

    def _prepare_the_log(self) -> None:
        read_ahead(self.path)
        with suppress(StorageError):
            # Within a transaction nobody else writes to the log.
            self._write(lambda _: lengthen(self.path, _LOG_BYTES))

    def _wait_for_the_disk(self, wanted: bool) -> None:
        """Whether each commit from now on is on the disk when it returns; where it does not, the next one that does
        brings it there."""
        level = self._synchronous if wanted else "NORMAL"
        if self._connection is not None and level != self._level:
            set_synchronous(raw(self._connection), level)
            self._level = level

    def _transact(self, work: Callable[[Connection], T], begin: str) -> T:
        connection = self._connection
        if connection is None:
            raise StorageError(msg("{path} is closed", path=self.path), fix=msg("start the program again"))
        driver = raw(connection)
        before = driver.total_changes
        try:
            # The driver's own words: the library's transaction costs as much again as a small step.
            driver.execute(begin)
            result = work(connection)
            if begin == "BEGIN":
                _refuse_change(driver.total_changes - before)
            else:
                driver.execute("COMMIT")
        except _FAULTS as error:
            raise self._explain(error) from error
        finally:
            # After a commit nothing is left to roll back; after a fault SQLite may have done it already.
            driver.rollback()
            if connection.in_transaction():
                connection.rollback()
        return result

    def _explain(self, error: Exception) -> StorageError:
        fault = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(fault, sqlite3.Error):
            return explain(fault, self.path, self.backups)
        if isinstance(fault, UnicodeDecodeError):
            return damaged(self.path, "a text in it cannot be read", self.backups)
        return BadText(msg("a text or number cannot be stored"), why=str(fault), fix=msg("use ordinary characters"))

    def _backup(self, source: sqlite3.Connection, schema: str | None = None) -> None:
        try:
            self.backups.make(source, datetime.now(UTC), schema)
        except (OSError, sqlite3.Error) as error:
            raise restore_point(error, self.backups.folder) from error

    def _finish(self) -> StorageError | None:
        assert self._connection is not None
        if self.unwritable is not None:
            self._connection.close()
            self._connection = None
            return None
        ours = raw(self._connection)
        gone = self._gone()
        problem: StorageError | None = gone
        try:
            # Another process that reads just now keeps the log from being folded in; it will do it later.
            with suppress(sqlite3.Error):
                ours.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            # What is gone by its name is still there for as long as it is open.
            if gone or self.backups.due(datetime.now(UTC)):
                self._backup(ours)
        except StorageError as error:
            problem = gone or error
        finally:
            self._connection.close()
            self._connection = None
        return problem


def _refuse_change(rows: int) -> None:
    """Raise `StorageError` for what only reads but has changed rows; PRAGMA query_only, which would forbid it before,
    makes SQLite compile every statement anew."""
    if rows:
        raise StorageError(
            msg("a reader tried to write"), why=msg("it changed {rows} rows", rows=rows), fix=msg("nothing was stored"),
        )


def _identity(path: Path) -> tuple[int, int]:
    """What tells the file of a path from all others; zeros where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch a new file to write-ahead logging; SQLite does not wait there when others do the same."""
    patience = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > patience:
                raise
            time.sleep(0.02)
