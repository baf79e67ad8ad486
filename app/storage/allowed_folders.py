"""Folders that the steps of a project may use: allowed, forgotten, listed."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, select

from agent.song.ids import ProjectId
from app.storage.records import stamp
from app.storage.rows import record, values
from app.storage.tables import AllowedFolderRow, table

Access = Literal["read", "write"]


class AllowedFolder(Struct, frozen=True):
    """A folder by its absolute path, and what the steps of `project` may do in it; `write` includes reading. `created`
    is given when it is stored."""

    project: ProjectId
    path: str
    access: Access
    created: str = ""


def allow(connection: Connection, project: ProjectId, path: str, access: Access) -> AllowedFolder:
    """Store a folder, or change the access of one that is stored; returns it."""
    rows = table(AllowedFolderRow)
    folder = AllowedFolder(project, path, access, stamp())
    forget(connection, project, path)
    connection.execute(insert(rows), values(folder))
    return folder


def forget(connection: Connection, project: ProjectId, path: str) -> bool:
    """Remove a folder; returns whether it was stored."""
    rows = table(AllowedFolderRow)
    gone = connection.execute(delete(rows).where(rows.c.project == project, rows.c.path == path))
    return gone.rowcount > 0


def of(connection: Connection, project: ProjectId) -> tuple[AllowedFolder, ...]:
    """The folders of a project by path."""
    rows = table(AllowedFolderRow)
    found = connection.execute(select(rows).where(rows.c.project == project).order_by(rows.c.path)).mappings()
    return tuple([record(row, AllowedFolder, f"allowed folder {row['path']}") for row in found])
