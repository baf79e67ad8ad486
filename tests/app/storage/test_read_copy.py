"""What cannot be written can still be read, with all that was committed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.storage import database as door
from app.storage import preferences
from app.storage.database import Database
from app.storage.errors import Damaged, NotWritable
from app.storage.read_copy import copy_in_memory

KEPT = {"closed": "yes", "killed": "yes"}


@pytest.fixture
def killed(file: Path, backups: Path) -> Path:
    """A database that was closed once, then killed with its last words in the log alone."""
    child = subprocess.run(
        [sys.executable, "-c", _CHILD, str(file), str(backups)], check=False, capture_output=True, text=True
    )
    assert child.returncode == -signal.SIGKILL, child.stderr
    assert file.with_name("bandleader.db-wal").stat().st_size
    return file


_CHILD = """
import os, signal, sys
from pathlib import Path
from app.storage import preferences
from app.storage.database import Database
for word in ("closed", "killed"):
    database = Database.open(Path(sys.argv[1]), Path(sys.argv[2]))
    database.write_now(lambda transaction: preferences.put(transaction, word, "yes"))
    if word == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    database.close()
"""


def refuses(*_: object) -> None:
    raise NotWritable("the disk is full", fix="free some space")


def read(file: Path, backups: Path) -> dict[str, str]:
    opened = Database.open(file, backups, to_read=True)
    try:
        assert opened.unwritable is not None
        with pytest.raises(NotWritable) as caught:
            opened.write_now(lambda transaction: preferences.put(transaction, "more", "x"))
        assert caught.value.advice
        return dict(opened.read_now(preferences.all_of))
    finally:
        assert opened.close() is None


def _as_it_is(_: Path) -> None:
    pass


def _without_index(file: Path) -> None:
    file.with_name("bandleader.db-shm").unlink()


@pytest.mark.parametrize("leave", [_as_it_is, _without_index])
def test_what_is_only_in_the_log_is_read_too(
    killed: Path, backups: Path, monkeypatch: pytest.MonkeyPatch, leave: Callable[[Path], None]
) -> None:
    leave(killed)
    monkeypatch.setattr(door, "make_folders", refuses)
    assert read(killed, backups) == KEPT
    monkeypatch.undo()
    opened = Database.open(killed, backups)
    assert opened.unwritable is None
    assert opened.read_now(preferences.all_of) == KEPT
    opened.close()


def test_a_copy_is_of_one_state_while_another_program_writes(file: Path, backups: Path) -> None:
    writer = Database.open(file, backups)
    writer.write_now(lambda transaction: preferences.put(transaction, "one", "1"))
    with closing(copy_in_memory(file)) as copy:
        assert copy.execute("SELECT value FROM preference").fetchall() == [("1",)]
    writer.close()


def test_a_log_that_was_lost_costs_only_what_was_in_it(killed: Path, backups: Path) -> None:
    for ending in ("-wal", "-shm"):
        killed.with_name(f"bandleader.db{ending}").unlink()
    opened = Database.open(killed, backups)
    assert opened.read_now(preferences.all_of) == {"closed": "yes"}
    opened.write_now(lambda transaction: preferences.put(transaction, "killed", "yes"))
    assert opened.close() is None


def test_damage_is_told_and_not_read_round(killed: Path, backups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Database.open(killed, backups).close()
    content = bytearray(killed.read_bytes())
    content[4096:12288] = bytes(8192)
    killed.write_bytes(content)
    monkeypatch.setattr(door, "make_folders", refuses)
    with pytest.raises(Damaged):
        Database.open(killed, backups, to_read=True)


def test_without_a_file_there_is_nothing_to_read(file: Path, backups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "make_folders", refuses)
    with pytest.raises(NotWritable):
        Database.open(file, backups, to_read=True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may become another user")
@pytest.mark.parametrize("log", [True, False])
def test_a_plain_user_reads_a_folder_that_takes_nothing(killed: Path, backups: Path, log: bool) -> None:
    if not log:
        Database.open(killed, backups).close()
    for place in (killed.parent, *killed.parent.rglob("*")):
        place.chmod(0o555 if place.is_dir() else 0o444)
    for folder in killed.parent.parents:
        if folder.stat().st_mode & 0o005 != 0o005 and folder.is_relative_to("/tmp"):
            folder.chmod(0o755)
    process = os.fork()
    if process == 0:
        status = 1
        try:
            os.setgid(65534)
            os.setuid(65534)
            status = 0 if read(killed, backups) == KEPT else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def test_an_older_file_is_read_as_it_would_be_migrated(
    file: Path, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Database.open(file, backups)
    opened.write_now(lambda transaction: preferences.put(transaction, "one", "1"))
    opened.close()
    with closing(sqlite3.connect(file)) as older:
        older.execute("DROP TABLE written_file")
        older.execute("DROP TABLE message_clauses")
        for table in ("run", "step", "event", "message"):
            older.execute(f"ALTER TABLE {table} DROP COLUMN digest")
        older.execute("ALTER TABLE run DROP COLUMN progress_digest")
        older.execute("UPDATE alembic_version SET version_num = '0006'")
        older.commit()
    before = file.read_bytes()
    monkeypatch.setattr(door, "make_folders", refuses)
    assert read(file, backups) == {"one": "1"}
    assert file.read_bytes() == before
