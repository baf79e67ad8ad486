"""What is told as stored is on the disk, and works that follow one another at once wait for the disk together.

SQLite is asked how it will commit; where `strace` is installed, the kernel is watched as well.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from system_packages import has_programs, needs

from app.storage import preferences
from app.storage.database import Database, Transaction
from app.storage.driver import raw
from app.storage.errors import StorageError

ROOT = Path(__file__).parents[3]
TOLD = "TOLD"
MANY = 20


@pytest.fixture
def full(file: Path, backups: Path) -> Iterator[Database]:
    opened = Database.open(file, backups)
    yield opened
    opened.close()


def level(transaction: Transaction) -> str:
    """How the commit of this transaction will wait."""
    [number] = raw(transaction).execute("PRAGMA synchronous").fetchone()
    return {1: "NORMAL", 2: "FULL"}[number]


def breaks(_: Transaction) -> str:
    raise StorageError("the disk is full")


@pytest.mark.semantics("6.12")
def test_only_the_last_of_several_waits_for_the_disk(full: Database) -> None:
    told: list[str] = []
    full.write_each(iter([level] * 5), told.extend).result()
    assert told == ["NORMAL"] * 4 + ["FULL"]
    full.write_each(iter([level]), told.extend).result()
    assert told[5:] == ["FULL"]


@pytest.mark.parametrize("works", [[level], [level, level], [level, breaks], [level, level, breaks, level], [breaks]])
def test_whatever_becomes_of_them_the_next_write_waits_by_itself(
    full: Database, works: list[Callable[[Transaction], str]]
) -> None:
    told: list[str] = []
    fault = full.write_each(iter(works), told.extend).exception()
    assert (fault is None) == (breaks not in works)
    assert len(told) == (works.index(breaks) if breaks in works else len(works))
    assert full.write_now(level) == "FULL"


def test_in_normal_nothing_waits(database: Database) -> None:
    told: list[str] = []
    database.write_each(iter([level] * 3), told.extend).result()
    assert told == ["NORMAL"] * 3
    assert database.write_now(level) == "NORMAL"


def test_what_cannot_be_brought_to_the_disk_is_not_told(full: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.storage.database.write_the_head", breaks)
    told: list[str] = []
    with pytest.raises(StorageError, match="disk is full"):
        full.write_each(iter([level, level, breaks]), told.extend).result()
    assert told == []


@pytest.mark.semantics("6.12")
@needs("strace", available=has_programs("strace"))
@pytest.mark.parametrize("fails", [False, True])
def test_the_kernel_sees_all_that_is_told_on_the_disk(tmp_path: Path, fails: bool) -> None:
    log = tmp_path / "trace"
    said = subprocess.run(
        ["strace", "-f", "-y", "-qq", "-e", "trace=pwrite64,write,fdatasync,fsync", "-e", "signal=none", "-o", log,
         sys.executable, "-m", __name__, tmp_path, "fails" if fails else ""],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "tests" / "support")},
    )  # fmt: skip
    if "ptrace" in said.stderr:
        pytest.skip("this machine forbids tracing")
    assert said.returncode == 0, said.stderr
    assert _waits_of_the_log(log.read_text().splitlines()) == 1, "works that follow one another wait once"


def _waits_of_the_log(lines: list[str]) -> int:
    """How often the log waited for the disk between the two tellings; fails for what was told before its wait."""
    waits, dirty, told = 0, False, 0
    for line in lines:
        if TOLD in line:
            assert not dirty, "told before it was on the disk"
            told += 1
        elif re.search(r"pwrite64\(\d+<[^>]*-wal>", line):
            dirty = True
        elif re.search(r"f(data)?sync\(\d+<[^>]*-wal>", line):
            dirty = False
            waits += told == 1
    assert told == 2
    return waits


def _watched(folder: Path, fails: bool) -> None:
    """The program that is watched: a first word, then many works at once."""
    database = Database.open(folder / "b.db", folder / "backups")
    works = [_putting(number) for number in range(MANY)]
    if fails:
        works[MANY // 2] = breaks
    database.write_now(_putting(MANY))
    _tell()
    database.write_each(iter(works), lambda _: _tell()).exception()
    database.close()


def _putting(number: int) -> Callable[[Transaction], object]:
    return lambda transaction: preferences.put(transaction, str(number), "x")


def _tell() -> None:
    sys.stdout.write(TOLD + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _watched(Path(sys.argv[1]), bool(sys.argv[2]))
