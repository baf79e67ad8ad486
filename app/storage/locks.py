"""The locks that a person keeps on a project's song."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, delete, insert, select

from agent.song.ids import ProjectId
from agent.song.locks import Lock
from app.storage.errors import Damaged
from app.storage.tables import LockRow, table


def all_of(connection: Connection, project: ProjectId) -> tuple[Lock, ...]:
    """A project's locks, in the order in which they were stored. Raises `Damaged`."""
    rows = table(LockRow)
    wanted = select(rows.c.target).where(rows.c.project == project).order_by(rows.c.place)
    try:
        found: list[Lock] = [msgspec.json.decode(text, type=Lock) for text in connection.scalars(wanted)]
    except msgspec.DecodeError as error:
        what = f"a lock of project {project} is damaged"
        raise Damaged(what, why=str(error), fix="set the locks anew") from error
    return tuple(found)


def put(connection: Connection, project: ProjectId, locks: Sequence[Lock]) -> None:
    """Replace a project's locks."""
    rows = table(LockRow)
    connection.execute(delete(rows).where(rows.c.project == project))
    new = [
        {"project": project, "place": place, "target": msgspec.json.encode(lock).decode()}
        for place, lock in enumerate(locks)
    ]
    if new:
        connection.execute(insert(rows), new)
