"""The schema: equal to the tables, moved forward with a backup, refused when it is newer."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

import app.storage
from app.storage import database as door
from app.storage import preferences, schema
from app.storage.database import Database
from app.storage.errors import StorageError
from app.storage.tables import TableRow

MIGRATIONS = Path(app.storage.__file__).parent / "migrations"


def parts(file: Path) -> set[tuple[str, str]]:
    """The names and words of tables and indexes, spaces apart."""
    with closing(sqlite3.connect(file)) as raw:
        rows = raw.execute(
            "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL"
        )
        return {
            (name, " ".join(sql.split()).replace("( ", "(").replace(" )", ")"))
            for name, sql in rows
            if not name.startswith(("message_words", "alembic"))
        }


def test_the_migrations_end_in_the_tables(tmp_path: Path, file: Path, backups: Path) -> None:
    Database.open(file, backups).close()
    engine = create_engine(f"sqlite:///{tmp_path / 'tables.db'}")
    TableRow.metadata.create_all(engine)
    engine.dispose()
    assert parts(file) == parts(tmp_path / "tables.db")


def test_the_newest_migration_is_the_schema() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == schema.SCHEMA


def test_a_newer_file_is_refused_and_left_alone(file: Path, backups: Path) -> None:
    Database.open(file, backups).close()
    with closing(sqlite3.connect(file)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
        raw.commit()
    before = file.read_bytes()
    with pytest.raises(StorageError, match="newer Bandleader") as caught:
        Database.open(file, backups)
    assert "9999" in caught.value.why
    assert file.read_bytes() == before


def later(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle of the program whose newest migration has that body."""
    scripts = folder / "app" / "storage" / "migrations"
    shutil.copytree(MIGRATIONS, scripts)
    (scripts / "versions" / "v9001_later.py").write_text(
        "from alembic import op\n"
        f"import sqlalchemy as sa\nrevision = '9001'\ndown_revision = '{schema.SCHEMA}'\n"
        f"def upgrade():\n    {body}\n"
    )
    monkeypatch.setattr(schema.sys, "_MEIPASS", str(folder), raising=False)
    monkeypatch.setattr(schema, "SCHEMA", "9001")
    monkeypatch.setattr(door, "SCHEMA", "9001")


def test_an_older_file_is_backed_up_then_migrated(
    file: Path, backups: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Database.open(file, backups)
    old.write_now(lambda connection: preferences.put(connection, "kept", "yes"))
    old.close()
    later(tmp_path / "100% bundle", "op.execute('CREATE TABLE later (id TEXT)')", monkeypatch)
    new = Database.open(file, backups)
    assert new.read_now(preferences.all_of) == {"kept": "yes"}
    assert new.read_now(lambda c: c.exec_driver_sql("SELECT count(*) FROM later").scalar()) == 0
    new.close()
    [copy] = backups.glob("*-schema-*")
    with closing(sqlite3.connect(copy)) as raw:
        assert raw.execute("SELECT value FROM preference").fetchall() == [("yes",)]
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() != [("9001",)]


LOSSY = {
    "a trigger": "op.execute('DROP TRIGGER message_added')",
    "an error": "op.execute('CREATE TABLE later (id TEXT)'); op.execute('nonsense')",
    "a parent": "op.execute(\"INSERT INTO lock VALUES ('nobody', 0, '{}')\")",
}


@pytest.mark.parametrize("body", LOSSY.values(), ids=LOSSY.keys())
def test_a_migration_that_would_lose_something_changes_nothing(
    file: Path, backups: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    Database.open(file, backups).close()
    with monkeypatch.context() as newer:
        later(tmp_path / "bundle", body, newer)
        with pytest.raises(StorageError):
            Database.open(file, backups)
    again = Database.open(file, backups)
    assert again.read_now(preferences.all_of) == {}
    again.close()


def test_rebuilding_a_table_keeps_the_rows_that_point_at_it(
    file: Path, backups: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Database.open(file, backups)
    old.write_now(lambda c: c.exec_driver_sql("INSERT INTO project VALUES ('p','n','t',NULL,NULL,NULL,0,0)"))
    old.write_now(lambda c: c.exec_driver_sql("INSERT INTO lock VALUES ('p', 0, '{}')"))
    old.close()
    body = "with op.batch_alter_table('project', recreate='always') as t: t.add_column(sa.Column('mood', sa.Text))"
    later(tmp_path / "bundle", body, monkeypatch)
    new = Database.open(file, backups)
    assert new.read_now(lambda c: c.exec_driver_sql("SELECT count(*) FROM lock").scalar()) == 1
    new.close()
