"""Projects: their names, their head and their working song."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from agent.message import msg
from agent.song.ids import IterationId, ProjectId
from agent.song.revision import ContentHash
from app.storage.driver import raw
from app.storage.errors import Busy, Stale
from app.storage.objects import SongObjects
from app.storage.records import Lease, Project, stamp
from app.storage.rows import record
from app.storage.tables import BY_AGE, ProjectRow, table

_MOVE = """UPDATE project SET working = ?, head = coalesce(?, head)
    WHERE id = ? AND working IS ? AND lease_owner = ? AND lease_fence = ?"""
_WHERE = "SELECT working, lease_owner, lease_fence FROM project WHERE id = ?"


def create(connection: Connection, project_id: ProjectId, name: str) -> Project:
    """Store a new project without a song; returns it."""
    project = Project(project_id, name, stamp())
    row = {"id": project.id, "name": name, "created": project.created, "lease_fence": 0, "lease_until": 0}
    connection.execute(insert(table(ProjectRow)), row)
    return project


def find(connection: Connection, project_id: ProjectId) -> Project | None:
    """The project of that id; None if there is none."""
    projects = table(ProjectRow)
    row = connection.execute(select(projects).where(projects.c.id == project_id)).mappings().first()
    return record(row, Project, f"project {project_id}") if row else None


def all_of(connection: Connection) -> tuple[Project, ...]:
    """All projects, oldest first; names may repeat."""
    projects = table(ProjectRow)
    rows = connection.execute(select(projects).order_by(BY_AGE)).mappings()
    return tuple([record(row, Project, f"project {row['id']}") for row in rows])


def move(
    connection: Connection,
    lease: Lease,
    expected: ContentHash | None,
    working: ContentHash,
    head: IterationId | None = None,
) -> None:
    """Replace the working song, and the head if one is given. Raises `Busy` if another owner has taken the lease over,
    `Stale` if the stored working song is not `expected`."""
    driver = raw(connection)
    changes = (working, head, lease.project, expected, lease.owner, lease.fence)
    if driver.execute(_MOVE, changes).rowcount == 1:
        return
    row = driver.execute(_WHERE, (lease.project,)).fetchone()
    if row is not None and row[1:] == (lease.owner, lease.fence):
        raise Stale(
            msg("the song of project {project} has changed", project=lease.project),
            why=msg("someone else has saved it since it was read"),
            fix=msg("look at it again, then repeat the change"),
        )
    raise Busy(
        msg("project {project} is being changed by another program", project=lease.project),
        why=msg("it took over while this one was silent"),
        fix=msg("close the other one, or wait until it is done"),
    )


def read_songs(connection: Connection) -> int:
    """Load the working song of every project; returns how many have one. Raises `Damaged`, which names the object, for
    a song that is not complete."""
    objects = SongObjects()
    roots = [project.working for project in all_of(connection) if project.working is not None]
    for root in roots:
        objects.load(connection, root)
    return len(roots)
