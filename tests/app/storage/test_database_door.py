"""Opening, using and closing the database."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from patience import PATIENCE
from sqlalchemy import Connection

from agent.errors import Blame
from agent.song.ids import ProjectId
from app.storage import preferences, projects
from app.storage.database import Database
from app.storage.driver import data_version, raw
from app.storage.errors import BadText, Busy, Gone, StorageError


def put(key: str, value: str) -> Callable[[Connection], None]:
    return lambda connection: preferences.put(connection, key, value)


def test_what_was_written_is_there_after_closing_and_opening(file: Path, backups: Path) -> None:
    first = Database.open(file, backups)
    first.write_now(put("color", "blue"))
    assert first.close() is None
    again = Database.open(file, backups)
    assert again.read_now(preferences.all_of) == {"color": "blue"}
    again.close()
    assert not file.with_name(file.name + "-wal").exists()


def test_it_runs_with_the_pragmas_that_the_promises_need(file: Path, backups: Path) -> None:
    database = Database.open(file, backups)
    names = ("journal_mode", "synchronous", "foreign_keys", "application_id")

    def look(connection: Connection) -> list[object]:
        return [raw(connection).execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert database.read_now(look) == ["wal", 2, 1, 0x424E444C]
    database.close()


def test_a_write_that_fails_leaves_nothing(database: Database) -> None:
    def half(connection: Connection) -> None:
        preferences.put(connection, "a", "1")
        raise LookupError("stop")

    with pytest.raises(LookupError):
        database.write_now(half)
    assert database.read_now(preferences.all_of) == {}
    database.write_now(put("b", "2"))
    assert database.read_now(preferences.all_of) == {"b": "2"}


def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises(StorageError):
        database.read_now(put("a", "1"))
    assert database.read_now(preferences.all_of) == {}
    database.write_now(put("a", "1"))


def test_many_tasks_may_write_at_once(database: Database) -> None:
    def count(connection: Connection) -> None:
        now = int(preferences.find(connection, "n") or 0)
        preferences.put(connection, "n", str(now + 1))

    async def everyone() -> str | None:
        await asyncio.gather(*(database.write(count) for _ in range(50)))
        return await database.read(lambda connection: preferences.find(connection, "n"))

    assert asyncio.run(everyone()) == "50"


def test_a_rule_of_a_table_refuses_what_does_not_fit(database: Database) -> None:
    with pytest.raises(StorageError):
        database.write_now(lambda connection: projects.create(connection, ProjectId("p1"), ""))
    with pytest.raises(StorageError):
        database.write_now(lambda c: raw(c).execute("INSERT INTO project VALUES ('p','n','t',NULL,NULL,NULL,'x',0)"))
    with pytest.raises(StorageError, match="refused"):
        database.write_now(lambda c: raw(c).execute("INSERT INTO lock VALUES ('nobody', 0, '{}')"))
    assert database.read_now(projects.all_of) == ()


def test_text_that_is_no_unicode_is_bad_input(database: Database) -> None:
    with pytest.raises(BadText) as caught:
        database.write_now(put("a", "\ud800"))
    assert caught.value.blame is Blame.INPUT
    assert database.read_now(preferences.all_of) == {}


def test_a_closed_database_says_so(file: Path, backups: Path) -> None:
    database = Database.open(file, backups)
    database.close()
    assert database.close() is None
    with pytest.raises((StorageError, RuntimeError)):
        database.read_now(preferences.all_of)


@pytest.mark.parametrize("name", ["with space", "100%20 sure", "ünï", "a?mode=ro#x", "%(here)s"])
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    for _ in range(2):
        database = Database.open(tmp_path / name / "b.db", tmp_path / name / "backups")
        database.write_now(put("a", "1"))
        database.close()
    assert (tmp_path / name / "b.db").exists()


def test_a_full_disk_loses_nothing_that_was_stored(database: Database) -> None:
    database.write_now(put("kept", "yes"))
    pages = database.read_now(lambda c: raw(c).execute("PRAGMA page_count").fetchone()[0])
    database.write_now(lambda c: raw(c).execute(f"PRAGMA max_page_count = {pages + 2}").fetchall())
    with pytest.raises(StorageError, match="full") as caught:
        database.write_now(put("big", "x" * 200_000))
    assert caught.value.advice
    assert caught.value.blame is Blame.MACHINE
    assert database.read_now(preferences.all_of) == {"kept": "yes"}
    database.write_now(lambda c: raw(c).execute("PRAGMA max_page_count = 1000000").fetchall())
    database.write_now(put("big", "x" * 200_000))
    assert set(database.read_now(preferences.all_of)) == {"kept", "big"}


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "occupied").write_text("a file")
    with pytest.raises(StorageError, match="occupied") as caught:
        Database.open(tmp_path / "occupied" / "b.db", tmp_path / "backups")
    assert "BANDLEADER_HOME" in caught.value.advice


@pytest.mark.skipif(sys.platform == "win32", reason="needs a user without rights")
def test_a_read_only_folder_is_one_clear_error(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    Database.open(folder / "b.db", folder / "backups").close()
    try:
        for part in [*tmp_path.parents][:3]:
            part.chmod(0o755)
        tmp_path.chmod(0o755)
        (folder / "b.db").chmod(0o444)
        folder.chmod(0o555)
        assert "cannot be written" in as_nobody(folder)
    finally:
        folder.chmod(0o755)


def as_nobody(folder: Path) -> str:
    """What opening says to a user without rights: root may write anywhere."""
    code = (
        "import os, sys; from pathlib import Path; from app.storage.database import Database\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: Database.open(Path(sys.argv[1]) / 'b.db', Path(sys.argv[1]) / 'backups')\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    return done.stdout


def test_another_program_that_writes_for_long_is_one_clear_error(database: Database, file: Path) -> None:
    database.read_now(lambda c: raw(c).execute("PRAGMA busy_timeout = 50").fetchall())
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="in use"):
            database.write_now(put("a", "1"))
        other.execute("ROLLBACK")
    database.write_now(put("a", "1"))
    assert database.read_now(preferences.all_of) == {"a": "1"}


def test_another_program_that_writes_shortly_is_waited_for(database: Database, file: Path) -> None:
    code = (
        "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('BEGIN IMMEDIATE'); print('held', flush=True); time.sleep(0.3); c.execute('COMMIT')"
    )
    child = subprocess.Popen([sys.executable, "-c", code, file], stdout=subprocess.PIPE, text=True)
    assert child.stdout
    assert child.stdout.readline() == "held\n"
    database.write_now(put("a", "1"))
    child.communicate(timeout=PATIENCE)
    assert database.read_now(preferences.all_of) == {"a": "1"}


def test_commits_of_others_are_seen_and_own_ones_are_not_news(file: Path, database: Database, backups: Path) -> None:
    before = database.read_now(data_version)
    database.write_now(put("a", "1"))
    assert database.read_now(data_version) == before
    other = Database.open(file, backups, synchronous="NORMAL")
    other.write_now(put("a", "2"))
    assert database.read_now(data_version) != before
    assert database.read_now(preferences.all_of) == {"a": "2"}
    other.close()


def test_two_programs_may_make_the_database_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app.storage.database import Database\n"
        "from app.storage import preferences; f = Path(sys.argv[1])\n"
        "d = Database.open(f / 'b.db', f / 'backups')\n"
        "d.write_now(lambda c: preferences.put(c, sys.argv[2], 'here')); print(d.close())"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", code, tmp_path, str(n)], stdout=subprocess.PIPE, text=True)
        for n in range(3)
    ]
    assert [child.communicate(timeout=PATIENCE)[0] for child in children] == ["None\n"] * 3
    database = Database.open(tmp_path / "b.db", tmp_path / "backups")
    assert set(database.read_now(preferences.all_of)) == {"0", "1", "2"}
    database.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps an open file where it is")
def test_nothing_is_written_into_a_file_that_is_not_there_any_more(
    file: Path, backups: Path, database: Database
) -> None:
    database.write_now(put("a", "1"))
    away = file.parent.with_name("elsewhere")
    file.parent.rename(away)
    for write in (lambda: database.write_now(put("a", "2")), lambda: asyncio.run(database.write(put("a", "2")))):
        with pytest.raises(Gone, match="is gone") as caught:
            write()
        assert str(backups) in caught.value.advice
    with pytest.raises(Gone):
        database.write_each(iter([put("a", "2")]), lambda _: None).result()
    with pytest.raises(Gone):
        asyncio.run(database.version())
    file.parent.mkdir()
    file.write_bytes(b"")
    with pytest.raises(Gone):
        database.write_now(put("a", "2"))
    assert database.read_now(preferences.all_of) == {"a": "1"}
    shutil.rmtree(file.parent)
    away.rename(file.parent)
    database.write_now(put("a", "3"))
    assert database.read_now(preferences.all_of) == {"a": "3"}
