"""The schema of the database file: which one this program knows, and the way from an older one."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection

from agent.message import msg
from app.storage.driver import raw
from app.storage.errors import StorageError

SCHEMA = "0009"
"""The newest migration; a file with another one is migrated or refused."""

APPLICATION_ID = 0x424E444C
"""Marks a SQLite file as ours (the letters BNDL)."""

TRIGGERS = frozenset({
    "iteration_UPDATE", "iteration_DELETE", "message_added", "message_removed", "message_changed",
})  # fmt: skip


def schema_of(raw: sqlite3.Connection) -> str | None:
    """The schema version stored in a file; None for a file without tables."""
    tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "alembic_version" not in tables:
        return None
    row = raw.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(row[0]) if row else None


def migrate(connection: Connection, file: Path, schema: str | None, before: Callable[[], object]) -> None:
    """Bring a file to `SCHEMA` in one transaction; `before` makes a backup first.

    Raises `StorageError` for a schema that this program does not know, without writing.
    """
    # Alembic takes a tenth of a second to import, and only a new or an old file needs it.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_scripts()).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if schema is not None and schema not in known:
        raise _newer(file, schema)
    if schema is not None:
        before()
    # Rebuilding a table with foreign keys on would delete the rows that point at it, and the switch
    # does nothing within a transaction.
    raw(connection).execute("PRAGMA foreign_keys = OFF")
    with connection.begin():
        command.upgrade(config, SCHEMA)
        _verify(connection, file)
    raw(connection).execute("PRAGMA foreign_keys = ON")


def _verify(connection: Connection, file: Path) -> None:
    rows = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    missing = TRIGGERS - {name for (name,) in rows}
    orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if missing or orphans:
        what = ", ".join(sorted(missing)) or f"{len(orphans)} rows without their parent"
        raise StorageError(
            msg("{file} could not be brought to schema {schema}", file=file, schema=SCHEMA),
            why=msg("the migration would lose {what}; nothing was changed", what=what),
            fix=msg("keep using the version of Bandleader that you had, and report this"),
        )


def _newer(file: Path, schema: str) -> StorageError:
    return StorageError(
        msg("{file} was made by a newer Bandleader", file=file),
        why=msg("its schema is {schema}, this program knows up to {schema_2}", schema=schema, schema_2=SCHEMA),
        fix=msg("install the newer version, or set BANDLEADER_HOME to another folder"),
    )


def _scripts() -> Path:
    bundle = getattr(sys, "_MEIPASS", None)
    here = Path(bundle) / "app" / "storage" if bundle else Path(__file__).parent
    return here / "migrations"
