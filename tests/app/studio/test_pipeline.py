"""The way to the store: in order, one transaction each, told once stored, ended by the first fault."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

from app.storage import preferences
from app.storage.database import Database, Transaction
from app.storage.driver import raw
from app.storage.errors import StorageError
from app.studio.running.pipeline import Pipeline


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open(tmp_path / "b.db", tmp_path / "backups", synchronous="NORMAL")
    yield opened
    opened.close()


def in_store(database: Database) -> int:
    """As another program sees it."""
    with closing(sqlite3.connect(database.path)) as connection:
        [(count,)] = connection.execute("SELECT count(*) FROM preference").fetchall()
    return int(count)


class Told:
    """A pipeline of numbers, and what was told of it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.numbers: list[int] = []
        self.seen_by_others: list[int] = []
        self.pipeline: Pipeline[int] = Pipeline(database, self.hear)
        self.gate = threading.Event()

    def hear(self, stored: Sequence[int]) -> None:
        self.numbers += stored
        assert in_store(self.database) >= len(self.numbers), "told before it was stored"

    async def put(self, *numbers: int, fails_at: int = -1) -> None:
        for number in numbers:
            await self.pipeline.put(lambda transaction, n=number: self._store(transaction, n, fails_at))  # type: ignore[misc]

    def _store(self, transaction: Transaction, number: int, fails_at: int) -> int:
        self.seen_by_others.append(in_store(self.database))
        preferences.put(transaction, str(number), "x")
        if number == fails_at:
            raise StorageError("the disk is full")
        return number

    def hold(self) -> None:
        """Keep the database busy until the gate opens."""
        self.database.write_soon(lambda _: self.gate.wait(20))


def run(database: Database, story: Callable[[Told], Coroutine[Any, Any, None]]) -> None:
    async def work() -> None:
        told = Told(database)
        try:
            await story(told)
        finally:
            told.gate.set()

    asyncio.run(work())


@pytest.mark.semantics("6.1")
def test_all_is_stored_in_order_each_in_a_transaction_of_its_own(database: Database) -> None:
    async def story(told: Told) -> None:
        await told.put(*range(100))
        await told.pipeline.settled()
        assert told.numbers == list(range(100))
        assert told.seen_by_others == list(range(100))

    run(database, story)


def test_putting_in_does_not_wait_for_the_store(database: Database) -> None:
    async def story(told: Told) -> None:
        told.hold()
        await told.put(*range(20))
        assert told.numbers == []
        told.gate.set()
        await told.pipeline.settled()
        assert told.numbers == list(range(20))

    run(database, story)


def test_who_puts_in_faster_than_the_store_takes_has_to_wait(database: Database) -> None:
    async def story(told: Told) -> None:
        told.hold()
        begun: list[int] = []

        async def many() -> None:
            for number in range(200):
                begun.append(number)
                await told.put(number)

        putting = asyncio.create_task(many())
        for _ in range(500):
            await asyncio.sleep(0)
        assert 0 < len(begun) <= 40
        assert told.numbers == []
        told.gate.set()
        await putting
        await told.pipeline.settled()
        assert told.numbers == list(range(200))

    run(database, story)


def test_others_have_the_loop_while_much_is_put_in(database: Database) -> None:
    async def story(told: Told) -> None:
        others = 0

        async def beside() -> None:
            nonlocal others
            while True:
                others += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(beside())
        for number in range(20):
            time.sleep(0.002)
            await told.put(number)
        assert others > 2
        task.cancel()
        await told.pipeline.settled()

    run(database, story)


def test_nothing_is_stored_after_the_first_fault(database: Database) -> None:
    async def story(told: Told) -> None:
        told.hold()
        await told.put(*range(20), fails_at=7)
        told.gate.set()
        with pytest.raises(StorageError, match="disk is full"):
            await told.pipeline.settled()
        assert told.numbers == list(range(7))
        assert in_store(database) == 7
        with pytest.raises(StorageError, match="disk is full"):
            await told.put(99)
        with pytest.raises(StorageError, match="disk is full"):
            await told.pipeline.settled()
        assert told.pipeline.broken
        assert in_store(database) == 7

    run(database, story)


def test_what_fails_only_when_it_is_committed_is_not_told(database: Database) -> None:
    def dangling(transaction: Transaction) -> int:
        raw(transaction).execute("PRAGMA defer_foreign_keys = ON")
        raw(transaction).execute("INSERT INTO lock (project, place, target) VALUES ('nobody', 1, '')")
        return 2

    async def story(told: Told) -> None:
        told.hold()
        await told.put(1)
        await told.pipeline.put(dangling)
        await told.put(3)
        told.gate.set()
        with pytest.raises(StorageError):
            await told.pipeline.settled()
        assert told.numbers == [1]
        assert in_store(database) == 1

    run(database, story)


def test_who_waits_for_room_hears_of_the_fault(database: Database) -> None:
    async def story(told: Told) -> None:
        with pytest.raises(StorageError, match="disk is full"):
            await told.put(*range(1000), fails_at=40)
        assert in_store(database) == 40

    run(database, story)


def test_a_fault_is_not_lost_when_nobody_asks(database: Database) -> None:
    async def story(told: Told) -> None:
        await told.put(1, fails_at=1)
        with pytest.raises(StorageError):
            await told.pipeline.close()
        await told.pipeline.close()

    run(database, story)


def test_a_listener_that_fails_ends_it(database: Database) -> None:
    async def story() -> None:
        def break_down(_: Sequence[int]) -> None:
            raise LookupError("a bug in a view")

        pipeline: Pipeline[int] = Pipeline(database, break_down)
        await pipeline.put(lambda _: 1)
        with pytest.raises(LookupError):
            await pipeline.settled()
        with pytest.raises(LookupError):
            await pipeline.put(lambda transaction: preferences.put(transaction, "late", "x") or 2)  # type: ignore[func-returns-value]
        assert in_store(database) == 0

    asyncio.run(story())


def test_a_cancelled_caller_takes_nothing_back(database: Database) -> None:
    async def story(told: Told) -> None:
        told.hold()
        putting = asyncio.create_task(told.put(*range(200)))
        for _ in range(50):
            await asyncio.sleep(0)
        putting.cancel()
        with suppress(asyncio.CancelledError):
            await putting
        told.gate.set()
        await told.pipeline.close()
        assert told.numbers == list(range(len(told.numbers)))
        assert 30 <= len(told.numbers) == in_store(database)

    run(database, story)


def test_a_database_that_was_closed_is_a_fault_and_no_endless_wait(database: Database) -> None:
    async def story(told: Told) -> None:
        database.close()
        await told.put(1)
        with pytest.raises(RuntimeError):
            await asyncio.wait_for(told.pipeline.settled(), PATIENCE)

    run(database, story)
