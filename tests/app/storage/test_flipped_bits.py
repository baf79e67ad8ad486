"""A bit that flips in what is stored is found when it is read, by name, and costs nothing else.

What songs and versions are made of is in test_song_objects.py and test_stored_versions.py.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agent.song.ids import ProjectId, RunId
from agent.song.revision import song_revision
from agent.song.song import Song
from app.storage import messages, projects, runs
from app.storage.database import Database
from app.storage.errors import Damaged
from app.storage.objects import put_text
from app.storage.records import ROW, ChatMessage, Event, Run, RunUpdate, StepRecord

ONE, TWO, PROJECT = RunId("rone"), RunId("rtwo"), ProjectId("pone")
REVISION = song_revision(Song())
COLUMNS = {
    "run": ("request", "state", "approval", "base_revision", "revision", "seed", "planner", "updated", "answer"),
    "step": ("step", "state", "tool", "inputs", "result", "reason", "key", "intent_at", "done_at"),
    "event": ("kind", "at", "body"),
    "message": ("role", "text", "created"),
}  # fmt: skip
EACH = [(table, column) for table, columns in COLUMNS.items() for column in columns]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed database with two runs that have come to their end by steps."""
    file = tmp_path_factory.mktemp("filled") / "bandleader.db"
    database = Database.open(file, file.parent / "backups", synchronous="NORMAL")
    database.write_now(lambda c: projects.create(c, PROJECT, "One"))
    plan = database.write_now(lambda c: put_text(c, '{"steps": []}'))
    for name in (ONE, TWO):
        new = Run(name, PROJECT, "more ambient", "RUNNING", REVISION, REVISION, 7, "local", plan, "{}", answer="[]")
        database.write_now(lambda c, it=new: runs.create(c, it))
        done = StepRecord("s1", 0, ROW, "done", "tool", f"key {name}", '{"a": 1}', "{}", "why", "2026", "2026")
        for state in (None, "PAUSED", "RUNNING"):
            progress = RunUpdate(name, (), (Event("STEP_DONE", '{"row": "s1"}'),), state, REVISION)
            database.write_now(lambda c, it=progress: runs.record(c, it))
        last = RunUpdate(name, (done,))
        database.write_now(lambda c, it=last: runs.record(c, it))
        database.write_now(lambda c, it=name: messages.append(c, ChatMessage(PROJECT, "user", "hello there", it)))
    database.close()
    return file


@pytest.fixture
def file(filled: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "bandleader.db"
    copy.write_bytes(filled.read_bytes())
    return copy


def flip(file: Path, table: str, column: str) -> None:
    """Turn the last bit but one of a value in the table's first row."""
    with closing(sqlite3.connect(file)) as outside:
        outside.execute("PRAGMA ignore_check_constraints = ON")
        outside.execute("DROP TRIGGER message_changed")
        [key, value] = outside.execute(f'SELECT rowid, "{column}" FROM {table} ORDER BY rowid').fetchone()
        new = value ^ 2 if isinstance(value, int) else value[:-1] + chr(ord(value[-1]) ^ 2)
        outside.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (new, key))
        outside.commit()


def everything_of(database: Database, run: RunId) -> None:
    assert database.read_now(lambda c: runs.find(c, run)) is not None
    assert len(database.read_now(lambda c: runs.steps(c, run))) == 1
    assert len(database.read_now(lambda c: runs.events(c, run))) == 3


@pytest.mark.parametrize(("table", "column"), EACH)
def test_a_flipped_bit_is_told_with_the_name_of_what_it_struck(file: Path, table: str, column: str) -> None:
    flip(file, table, column)
    database = Database.open(file, file.parent / "backups", synchronous="NORMAL")
    everything_of(database, TWO)
    said = database.read_now(lambda c: messages.all_of(c, PROJECT))
    assert said[1].text == "hello there"
    if table == "message":
        everything_of(database, ONE)
        assert "message 1 is damaged" in said[0].text
    else:
        assert said[0].text == "hello there"
        with pytest.raises(Damaged, match=f"{table} .*{'' if table == 'run' else 'of run '}{ONE}") as caught:
            everything_of(database, ONE)
        assert "everything else" in caught.value.advice
    struck = table == "run"
    assert [run.id for run in database.read_now(lambda c: runs.all_of(c, PROJECT))] == [TWO, ONE][: 2 - struck]
    assert len(database.read_now(lambda c: runs.damaged(c, PROJECT))) == struck
    holding = database.read_now(lambda c: runs.in_states(c, ("RUNNING",), PROJECT))
    whole = [run.id for run in holding if database.read_now(lambda c, it=run: runs.is_whole(c, it))]
    assert whole == ([ONE, TWO] if table == "message" else [TWO])
    database.close()


def test_what_goes_on_does_not_hide_a_damage(file: Path) -> None:
    flip(file, "run", "request")
    database = Database.open(file, file.parent / "backups", synchronous="NORMAL")
    database.write_now(lambda c: runs.record(c, RunUpdate(ONE, state="PAUSED")))
    with pytest.raises(Damaged, match=ONE):
        database.read_now(lambda c: runs.find(c, ONE))
    database.close()


def test_rows_of_an_older_schema_are_guarded_from_their_migration_on(file: Path) -> None:
    with closing(sqlite3.connect(file)) as older:
        for table in COLUMNS:
            older.execute(f"ALTER TABLE {table} DROP COLUMN digest")
        older.execute("ALTER TABLE run DROP COLUMN progress_digest")
        older.execute("DROP TABLE message_clauses")
        older.execute("UPDATE alembic_version SET version_num = '0007'")
        older.commit()
    database = Database.open(file, file.parent / "backups", synchronous="NORMAL")
    everything_of(database, ONE)
    assert database.read_now(lambda c: messages.search(c, "hello", PROJECT))
    database.close()
    flip(file, "step", "result")
    again = Database.open(file, file.parent / "backups", synchronous="NORMAL")
    with pytest.raises(Damaged, match="step s1"):
        everything_of(again, ONE)
    again.close()
