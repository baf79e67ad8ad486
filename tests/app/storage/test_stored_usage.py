"""What models used, and what a person thought of rows: stored, summed, and added to an older file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from msgspec.structs import replace

import app.storage
from agent.song.ids import ProjectId, RunId
from app.storage import database as door
from app.storage import preferences, projects, schema, usage, verdicts
from app.storage.database import Database
from app.storage.errors import StorageError
from app.storage.records import PlanningId, UsageEntry, VerdictRecord
from app.storage.usage import UsageSum

ONE, TWO = RunId("rone"), RunId("rtwo")


def entry(cost: float | None, run: RunId | None = None, planning: str | None = None) -> UsageEntry:
    asked = None if planning is None else PlanningId(planning)
    return UsageEntry("anthropic", "large", "plan", 100, 20, 60, cost, ProjectId("pone"), run, asked)


def put(database: Database, *entries: UsageEntry) -> None:
    for one in entries:
        database.write_now(lambda connection, one=one: usage.append(connection, one))


def test_sums_know_what_has_no_price(database: Database) -> None:
    put(database, entry(0.25, ONE), entry(None, ONE), entry(0.5, TWO))
    assert database.read_now(lambda c: usage.of_run(c, ONE)) == UsageSum(2, 200, 40, 120, 0.25, 1)
    assert database.read_now(lambda c: usage.of_run(c, TWO)).tokens == 120
    assert database.read_now(lambda c: usage.of_run(c, RunId("nobody"))) == UsageSum()


def test_months_do_not_run_into_each_other(database: Database) -> None:
    put(database, entry(1.0), entry(2.0), entry(4.0), entry(8.0))
    times = ["2026-09-30T23:59:59.999999Z", "2026-10-01T00:00:00.000000Z", "2026-10-31T23:59:59.999999Z",
             "2026-11-01T00:00:00.000000Z"]
    change = "UPDATE usage_entry SET created = ? WHERE id = ?"
    for number, created in enumerate(times, 1):
        database.write_now(lambda c, v=(created, number): c.exec_driver_sql(change, v))
    months = ("2026-09", "2026-10", "2026-1")
    sums = [database.read_now(lambda c, month=month: usage.of_month(c, month)).cost for month in months]
    assert sums == [1.0, 6.0, 0.0]
    assert database.read_now(lambda c: usage.of_month(c, "2026-11")).calls == 1


def test_planning_is_counted_to_the_run_that_came_of_it(database: Database) -> None:
    put(database, entry(1.0, planning="p7"), entry(2.0, planning="p8"), entry(4.0, TWO, "p7"))
    database.write_now(lambda c: usage.claim(c, PlanningId("p7"), ONE))
    assert database.read_now(lambda c: usage.of_run(c, ONE)).cost == 1.0
    assert database.read_now(lambda c: usage.of_run(c, TWO)).cost == 4.0
    assert database.read_now(lambda c: usage.of_planning(c, PlanningId("p7"))).cost == 5.0


def test_what_is_written_soon_is_there_for_the_next_look_and_after_the_end(file: Path, backups: Path) -> None:
    database = Database.open(file, backups, synchronous="NORMAL")
    for _ in range(50):
        database.write_soon(lambda c: usage.append(c, entry(1.0, ONE)))
    assert database.read_now(lambda c: usage.of_run(c, ONE)).calls == 50
    database.write_soon(lambda c: usage.append(c, entry(1.0, ONE)))
    database.close()
    again = Database.open(file, backups)
    assert again.read_now(lambda c: usage.of_run(c, ONE)).calls == 51
    again.close()


@pytest.mark.parametrize("column", ["input", "output", "cached", "cost"])
def test_nothing_below_zero_is_stored(database: Database, column: str) -> None:
    with pytest.raises(StorageError, match="refused a change"):
        put(database, replace(entry(1.0), **{column: -1}))


def test_verdicts_come_newest_first_and_only_the_projects_own(database: Database) -> None:
    for number in range(5):
        row = VerdictRecord(ProjectId("pone" if number != 2 else "ptwo"), f"request {number}", "{}", "rejected", "why")
        database.write_now(lambda c, row=row: verdicts.append(c, row))
    found = database.read_now(lambda c: verdicts.recent(c, ProjectId("pone"), 3))
    assert [one.request for one in found] == ["request 4", "request 3", "request 1"]
    assert all(one.created and one.changed is None for one in found)


def older(file: Path, backups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the first version, with a project, a lock, a message and a setting in it."""
    with monkeypatch.context() as first:
        first.setattr(schema, "SCHEMA", "0001")
        first.setattr(door, "SCHEMA", "0001")
        database = Database.open(file, backups)
        database.write_now(lambda c: projects.create(c, ProjectId("pone"), "One"))
        database.write_now(lambda c: preferences.put(c, "theme", "dark"))
        for statement in (
            "INSERT INTO lock VALUES ('pone', 0, '{}')",
            "INSERT INTO message VALUES (1, 'pone', NULL, 'user', 'a misty dawn', '2026-01-01')",
        ):
            database.write_now(lambda c, statement=statement: c.exec_driver_sql(statement))
        database.close()
    with closing(sqlite3.connect(file)) as raw:
        assert schema.schema_of(raw) == "0001"
        assert not raw.execute("SELECT name FROM sqlite_master WHERE name = 'usage_entry'").fetchall()


def test_a_file_of_the_first_version_is_backed_up_and_gets_the_new_tables(
    file: Path, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older(file, backups, monkeypatch)
    database = Database.open(file, backups)
    assert database.read_now(lambda c: projects.find(c, ProjectId("pone"))) is not None
    assert database.read_now(preferences.all_of) == {"theme": "dark"}
    found = "SELECT rowid FROM message_words WHERE message_words MATCH 'misty'"
    assert database.read_now(lambda c: c.exec_driver_sql(found).scalar()) == 1
    assert database.read_now(lambda c: c.exec_driver_sql("SELECT count(*) FROM lock").scalar()) == 1
    put(database, entry(0.5, ONE))
    assert database.read_now(lambda c: usage.of_run(c, ONE)).cost == 0.5
    database.close()
    [copy] = backups.glob("*-schema-0001.db")
    with closing(sqlite3.connect(copy)) as raw:
        assert schema.schema_of(raw) == "0001"
        assert raw.execute("SELECT value FROM preference").fetchall() == [("dark",)]


def test_a_file_that_was_migrated_is_like_a_new_one(
    file: Path, backups: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older(file, backups, monkeypatch)
    Database.open(file, backups).close()
    fresh = tmp_path / "fresh" / "bandleader.db"
    Database.open(fresh, tmp_path / "fresh").close()
    query = "SELECT name, sql FROM sqlite_master ORDER BY name"
    with closing(sqlite3.connect(file)) as one, closing(sqlite3.connect(fresh)) as two:
        assert one.execute(query).fetchall() == two.execute(query).fetchall()


def test_every_schema_has_its_step() -> None:
    scripts = ScriptDirectory(str(Path(app.storage.__file__).parent / "migrations")).walk_revisions()
    assert [script.revision for script in scripts] == [f"{number:04}" for number in range(9, 0, -1)]
