"""Settings of this installation, as short texts by key."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from app.storage.tables import PreferenceRow, table


def find(connection: Connection, key: str) -> str | None:
    """The value of a setting."""
    rows = table(PreferenceRow)
    found: str | None = connection.execute(select(rows.c.value).where(rows.c.key == key)).scalar()
    return found


def all_of(connection: Connection) -> dict[str, str]:
    """All settings."""
    rows = table(PreferenceRow)
    return {row.key: row.value for row in connection.execute(select(rows.c.key, rows.c.value))}


def put(connection: Connection, key: str, value: str) -> None:
    """Set a setting. Keys of models never go here: see `app.storage.keyring`."""
    new = insert(table(PreferenceRow)).values(key=key, value=value)
    connection.execute(new.on_conflict_do_update(index_elements=["key"], set_={"value": value}))


def forget(connection: Connection, key: str) -> None:
    """Remove a setting."""
    rows = table(PreferenceRow)
    connection.execute(delete(rows).where(rows.c.key == key))
