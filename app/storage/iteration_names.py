"""Names that a person gives to iterations, beside them: an iteration itself never changes."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from agent.song.ids import IterationId, ProjectId
from app.storage.tables import IterationNameRow, IterationRow, table

LONGEST_NAME = 120


def all_of(connection: Connection, project: ProjectId) -> dict[IterationId, str]:
    """The names that a person gave to iterations of a project, by the iteration's id."""
    names, known = table(IterationNameRow), table(IterationRow)
    wanted = select(names.c.iteration, names.c.name).join(known, known.c.id == names.c.iteration)
    rows = connection.execute(wanted.where(known.c.project == project))
    return {IterationId(row.iteration): row.name for row in rows}


def put(connection: Connection, iteration: IterationId, name: str) -> None:
    """Give an iteration a name of at most 120 characters; an empty one takes its name away."""
    names = table(IterationNameRow)
    if not name:
        connection.execute(delete(names).where(names.c.iteration == iteration))
        return
    new = insert(names).values(iteration=iteration, name=name)
    connection.execute(new.on_conflict_do_update(index_elements=["iteration"], set_={"name": name}))
