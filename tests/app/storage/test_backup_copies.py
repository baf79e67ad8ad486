"""Backups: made when due, kept by rule, readable."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.storage import preferences
from app.storage.backups import Backups
from app.storage.database import Database

NOW = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)


@pytest.fixture
def source() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as raw:
        raw.execute("CREATE TABLE t (n)")
        raw.commit()
        yield raw


def test_closing_makes_a_backup_once_a_day(file: Path, backups: Path) -> None:
    for _ in range(3):
        Database.open(file, backups).close()
    [only] = backups.iterdir()
    only.rename(backups / "bandleader-20200101T000000Z.db")
    Database.open(file, backups).close()
    assert len(list(backups.iterdir())) == 2


def test_a_backup_from_the_future_does_not_put_off_the_next(tmp_path: Path) -> None:
    copies = Backups(tmp_path)
    (tmp_path / "bandleader-20990101T000000Z.db").write_bytes(b"")
    assert copies.due(NOW)


def test_a_backup_is_due_after_a_day(tmp_path: Path, source: sqlite3.Connection) -> None:
    copies = Backups(tmp_path)
    assert copies.due(NOW)
    copies.make(source, NOW)
    assert not copies.due(NOW + timedelta(hours=23))
    assert copies.due(NOW + timedelta(hours=25))


def test_thinning_keeps_the_newest_three_one_a_day_and_those_before_migrations(
    tmp_path: Path, source: sqlite3.Connection
) -> None:
    copies = Backups(tmp_path)
    copies.make(source, NOW - timedelta(days=400), "0001")
    for hours in range(24 * 20, -1, -6):
        copies.make(source, NOW - timedelta(hours=hours))
    names = [file.name for file in copies.files()]
    days = [name[11:19] for name in names if "schema" not in name]
    assert names[-1] == "bandleader-20260315T120000Z.db"
    assert len(set(days)) == 7
    assert len(days) == 9
    assert sum("schema" in name for name in names) == 1


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path, source: sqlite3.Connection) -> None:
    (tmp_path / "my notes.db").write_text("mine")
    copies = Backups(tmp_path)
    for hours in range(200):
        copies.make(source, NOW + timedelta(hours=hours))
    assert (tmp_path / "my notes.db").read_text() == "mine"
    assert len(copies.files()) < 20


def test_a_backup_that_cannot_be_made_does_not_keep_the_database_from_closing(file: Path, backups: Path) -> None:
    database = Database.open(file, backups)
    database.write_now(lambda connection: preferences.put(connection, "a", "1"))
    backups.rmdir()
    backups.write_text("in the way")
    problem = database.close()
    assert problem is not None
    assert str(backups) in problem.what
    backups.unlink()
    again = Database.open(file, backups)
    assert again.read_now(preferences.all_of) == {"a": "1"}
    again.close()


def test_a_copy_is_one_file_that_opens_on_its_own(file: Path, backups: Path) -> None:
    database = Database.open(file, backups)
    database.write_now(lambda connection: preferences.put(connection, "a", "1"))
    database.close()
    [copy] = backups.iterdir()
    restored = Database.open(copy, backups / "of the copy")
    assert restored.read_now(preferences.all_of) == {"a": "1"}
    restored.close()


def test_copies_from_a_clock_that_was_ahead_do_not_push_out_those_of_today(
    tmp_path: Path, source: sqlite3.Connection
) -> None:
    copies = Backups(tmp_path)
    for days in range(9):
        copies.make(source, datetime.now(UTC) + timedelta(days=3650 + days))
    now = datetime.now(UTC)
    for hours in (48, 0):
        made = copies.make(source, now - timedelta(hours=hours))
        assert made in copies.files()
    assert copies.newest_good() == made
    assert not copies.due(now)
