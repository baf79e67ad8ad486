"""The log's place in the system's memory."""

from __future__ import annotations

import ctypes
import mmap
import os
import shutil
import sqlite3
import sys
import time
from pathlib import Path

import pytest
from patience import PATIENCE

from app.storage import preferences
from app.storage.database import Database
from app.storage.read_copy import lengthen, read_ahead


def log_of(database: Database) -> Path:
    return Path(f"{database.path}-wal")


def pages_in_memory(file: Path) -> float:
    """The share of a file's pages that the system holds."""
    size = file.stat().st_size
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), size, access=mmap.ACCESS_COPY) as mapped:
        held = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
        address = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(mapped)))
        assert ctypes.CDLL(None).mincore(address, ctypes.c_size_t(size), held) == 0
        return sum(one & 1 for one in held) / len(held)


def put_out(file: Path) -> None:
    """Have the system forget what it holds of a file."""
    with file.open("r+b") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be asked which pages it holds")
def test_a_log_that_was_put_out_of_memory_is_there_again_before_it_is_written_to(database: Database) -> None:
    for number in range(50):
        database.write_now(lambda c, number=number: preferences.put(c, f"key {number}", "x" * 5000))
    log = log_of(database)
    put_out(log)
    if pages_in_memory(log) > 0.1:
        pytest.skip("this file system keeps its files in memory alone")
    database.expect_writing()
    patience = time.monotonic() + PATIENCE
    while pages_in_memory(log) < 0.9:
        assert time.monotonic() < patience, "the log is not read"
        time.sleep(0.01)


def prepare(database: Database) -> int:
    """Have the log made ready, wait until it is, and tell how long it is."""
    database.expect_writing()
    database.read_now(lambda _: None)
    return log_of(database).stat().st_size


def put(database: Database, numbers: range) -> None:
    for number in numbers:
        database.write_now(lambda c, number=number: preferences.put(c, f"key {number}", f"{number}" * 2000))


def test_no_commit_makes_a_prepared_log_longer(database: Database) -> None:
    put(database, range(3))
    long = prepare(database)
    put(database, range(3, 60))
    assert log_of(database).stat().st_size == long == prepare(database)


@pytest.mark.semantics("6.12")
def test_a_program_that_is_killed_over_a_prepared_log_has_lost_nothing(database: Database, tmp_path: Path) -> None:
    """What a kill leaves: the file and its log as they are, the log's end still zeros."""
    put(database, range(3))
    prepare(database)
    put(database, range(3, 20))
    left = tmp_path / "left.db"
    shutil.copy(database.path, left)
    shutil.copy(log_of(database), Path(f"{left}-wal"))
    again = Database.open(left, tmp_path / "backups")
    found = again.read_now(lambda c: [preferences.find(c, f"key {number}") for number in range(20)])
    assert found == [f"{number}" * 2000 for number in range(20)]
    assert again.close() is None


def test_a_log_is_not_prepared_while_another_program_writes(database: Database) -> None:
    put(database, range(3))
    with sqlite3.connect(database.path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        before = log_of(database).stat().st_size
        database.expect_writing()
        time.sleep(0.05)
        assert log_of(database).stat().st_size == before
        other.execute("COMMIT")
    other.close()
    assert prepare(database) > before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sets no limit to the size of files")
def test_where_the_log_cannot_be_as_long_it_stays_as_it_is(tmp_path: Path) -> None:
    import resource

    log = tmp_path / "full.db-wal"
    log.write_bytes(b"whole frames")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        lengthen(tmp_path / "full.db", 2000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert log.read_bytes() == b"whole frames"


def test_where_there_is_no_log_nothing_happens(tmp_path: Path) -> None:
    read_ahead(tmp_path / "no.db")
    lengthen(tmp_path / "no.db", 1000)
    assert list(tmp_path.iterdir()) == []


def test_the_log_stays_short(database: Database) -> None:
    for number in range(400):
        database.write_now(lambda c, number=number: preferences.put(c, f"key {number}", "x" * 5000))
    assert log_of(database).stat().st_size < 600 * 4200
