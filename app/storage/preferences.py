"""Settings of this installation, as short texts by key."""

from __future__ import annotations

from typing import TypeVar

from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects.sqlite import insert

from agent.message import msg
from app.storage.errors import Damaged
from app.storage.rows import decoded
from app.storage.tables import PreferenceRow, table

T = TypeVar("T")
LARGEST = 1_000_000
"""Characters of the longest setting that is read, where no other most is given."""
_FIX = "set it again; until then it is as at first"


def find(connection: Connection, key: str, most: int = LARGEST) -> str | None:
    """The value of a setting, None if it is not set. Raises `Damaged`, which names the key, for one longer than `most`
    characters."""
    rows = table(PreferenceRow)
    wanted = select(func.substr(rows.c.value, 1, most + 1)).where(rows.c.key == key)
    found: str | None = connection.execute(wanted).scalar()
    if found is not None and len(found) > most:
        raise Damaged(
            msg("the setting {key} is damaged", key=key), why=msg("it has more than {most:,} characters", most=most),
            fix=_FIX,
        )
    return found


def read(connection: Connection, key: str, form: type[T], most: int = LARGEST) -> T | None:
    """A setting stored as JSON, as the type `form`; None if it is not set. Raises `Damaged`, which names the key, for
    one that is longer than `most` characters or not of this type."""
    text = find(connection, key, most)
    if text is None:
        return None
    value: T = decoded(text, form, f"the setting {key}", _FIX)
    return value


def all_of(connection: Connection) -> dict[str, str]:
    """All settings, by key."""
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
