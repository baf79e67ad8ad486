"""A file that is not what was written: one clear error, the file untouched, the way back named."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.storage import preferences
from app.storage.database import Database
from app.storage.errors import Damaged, StorageError


def filled(file: Path, backups: Path) -> None:
    """A closed database with some pages, and a backup of it."""
    database = Database.open(file, backups)
    for number in range(40):
        database.write_now(lambda connection, n=number: preferences.put(connection, f"key {n}", "x" * 900))
    assert database.close() is None


def zero(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def empty(file: Path) -> None:
    file.write_bytes(b"")


def text(file: Path) -> None:
    file.write_text("this is a letter, not a database\n" * 50)


def short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:10])


def cut(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2 + 100])


def zeroed_pages(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[8192 : 8192 + 3 * 4096] = bytes(3 * 4096)
    file.write_bytes(data)


def header(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[16:40] = b"\xff" * 24
    file.write_bytes(data)


@pytest.mark.parametrize("damage", [zero, empty, text, short, cut, zeroed_pages, header])
def test_a_damaged_file_is_left_alone_and_its_backup_named(
    file: Path, backups: Path, damage: Callable[[Path], None]
) -> None:
    filled(file, backups)
    damage(file)
    before = file.read_bytes()
    [backup] = backups.iterdir()
    with pytest.raises(Damaged) as caught:
        Database.open(file, backups)
    assert str(file) in caught.value.what
    assert caught.value.why
    assert str(backup) in caught.value.advice
    assert file.read_bytes() == before


def test_following_the_advice_brings_everything_back(file: Path, backups: Path) -> None:
    filled(file, backups)
    [backup] = backups.iterdir()
    file.write_bytes(backup.read_bytes())
    database = Database.open(file, backups)
    assert len(database.read_now(preferences.all_of)) == 40
    database.close()


def test_a_damaged_backup_is_not_offered(file: Path, backups: Path) -> None:
    filled(file, backups)
    [good] = backups.iterdir()
    bad = good.with_name("bandleader-20990101T000000Z.db")
    bad.write_bytes(good.read_bytes())
    zeroed_pages(bad)
    text(file)
    with pytest.raises(Damaged) as caught:
        Database.open(file, backups)
    assert str(good) in caught.value.advice


def test_without_a_backup_the_advice_says_so(tmp_path: Path) -> None:
    text(tmp_path / "b.db")
    with pytest.raises(Damaged) as caught:
        Database.open(tmp_path / "b.db", tmp_path / "backups")
    assert "no backup" in caught.value.advice


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "b.db")) as other:
        other.execute("CREATE TABLE recipes (name)")
        other.commit()
    before = (tmp_path / "b.db").read_bytes()
    with pytest.raises(StorageError, match="not a database of Bandleader"):
        Database.open(tmp_path / "b.db", tmp_path / "backups")
    assert (tmp_path / "b.db").read_bytes() == before


def test_an_empty_file_without_a_backup_is_a_new_database(tmp_path: Path) -> None:
    (tmp_path / "b.db").write_bytes(b"")
    database = Database.open(tmp_path / "b.db", tmp_path / "backups")
    assert database.read_now(preferences.all_of) == {}
    database.close()


def test_a_database_that_is_gone_while_its_backups_are_there_is_not_begun_anew(file: Path, backups: Path) -> None:
    filled(file, backups)
    file.unlink()
    with pytest.raises(Damaged, match="missing") as caught:
        Database.open(file, backups)
    [backup] = backups.iterdir()
    assert str(backup) in caught.value.advice
    assert "move that folder away" in caught.value.advice
    assert not file.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
def test_a_pipe_of_that_name_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "b.db")
    with pytest.raises(StorageError, match="not a file"):
        Database.open(tmp_path / "b.db", tmp_path / "backups")


def test_a_page_that_breaks_while_the_program_runs_is_reported(file: Path, backups: Path) -> None:
    filled(file, backups)
    database = Database.open(file, backups)
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)
    with pytest.raises(Damaged) as caught:
        database.read_now(preferences.all_of)
    assert str(backups) in caught.value.advice
    database.close()
