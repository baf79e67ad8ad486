"""The log's place in the system's memory."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import time
from pathlib import Path

import pytest
from patience import PATIENCE

from app.storage import preferences
from app.storage.database import Database
from app.storage.wal import read_ahead


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
    log = Path(f"{database.path}-wal")
    put_out(log)
    if pages_in_memory(log) > 0.1:
        pytest.skip("this file system keeps its files in memory alone")
    database.expect_writing()
    patience = time.monotonic() + PATIENCE
    while pages_in_memory(log) < 0.9:
        assert time.monotonic() < patience, "the log is not read"
        time.sleep(0.01)


def test_where_there_is_no_log_nothing_happens(tmp_path: Path) -> None:
    read_ahead(tmp_path / "no.db")
    assert list(tmp_path.iterdir()) == []


def test_the_log_stays_short(database: Database) -> None:
    for number in range(400):
        database.write_now(lambda c, number=number: preferences.put(c, f"key {number}", "x" * 5000))
    assert Path(f"{database.path}-wal").stat().st_size < 600 * 4200
