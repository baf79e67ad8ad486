"""The locks that a person keeps on a project's song."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, delete, insert, select

from agent.song.ids import ProjectId
from agent.song.locks import Lock
from app.storage.rows import decoded
from app.storage.tables import LockRow, table


def all_of(connection: Connection, project: ProjectId) -> tuple[Lock, ...]:
    """A project's locks, in the order in which they were stored. Raises `Damaged`."""
    rows = table(LockRow)
    wanted = select(rows.c.target).where(rows.c.project == project).order_by(rows.c.place)
    what = f"a lock of project {project}"
    return tuple([decoded(text, Lock, what, "set the locks anew") for text in connection.scalars(wanted)])


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
