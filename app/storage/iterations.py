"""Iterations: the versions of a song, only ever appended, every row verified when it is read."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, RowMapping, select

from agent.message import msg
from agent.song.ids import IterationId, ProjectId
from app.storage import iteration_names
from app.storage.driver import raw
from app.storage.errors import Damaged
from app.storage.records import Iteration, StoredHistory, stamp
from app.storage.rows import record
from app.storage.tables import IterationRow, table

_FIELDS = Iteration.__struct_fields__
_DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(Iteration)}
_INSERT = f"""INSERT INTO iteration ({", ".join(_FIELDS)}, digest)
    VALUES ({", ".join("?" * len(_FIELDS))}, ?)"""  # noqa: S608
_NEXT = "SELECT coalesce(max(number), 0) + 1 FROM iteration WHERE project = ?"


def append(connection: Connection, iteration: Iteration) -> Iteration:
    """Store a version; returns it with its number and time. The head is moved by `projects.move`."""
    driver = raw(connection)
    [number] = driver.execute(_NEXT, (iteration.project,)).fetchone()
    # The columns give floats back, and the digest is over what is read.
    cost, seconds = float(iteration.cost), float(iteration.seconds)
    stored = replace(iteration, number=number, created=stamp(), cost=cost, seconds=seconds)
    driver.execute(_INSERT, (*msgspec.structs.astuple(stored), _digest(stored)))
    return stored


def find(connection: Connection, iteration_id: IterationId) -> Iteration | None:
    """The version of that id; None if there is none. Raises `Damaged`, which names it, if its row differs from what was
    written."""
    rows = table(IterationRow)
    row = connection.execute(select(rows).where(rows.c.id == iteration_id)).mappings().first()
    return _verified(row) if row else None


def history(connection: Connection, project: ProjectId, limit: int = 1000, after: int = 0) -> StoredHistory:
    """At most `limit` versions of a project with a number over `after`, newest first; damaged ones are named beside the
    others."""
    rows = table(IterationRow)
    mine = (rows.c.project == project) & (rows.c.number > after)
    wanted = select(rows).where(mine).order_by(rows.c.number.desc()).limit(limit)
    good: list[Iteration] = []
    damaged: list[str] = []
    newest = after
    for row in connection.execute(wanted).mappings():
        newest = max(newest, row["number"])
        try:
            good.append(_verified(row))
        except Damaged as error:
            damaged.append(str(error))
    return StoredHistory(tuple(good), tuple(damaged), iteration_names.all_of(connection, project), newest)


def _verified(row: RowMapping) -> Iteration:
    what = f"version {row['number']} ({row['id']})"
    found = record(row, Iteration, what)
    if _digest(found) != row["digest"]:
        raise Damaged(
            msg("{what} is damaged", what=what),
            why=msg("its row is not what was written"),
            fix=msg("restore another version from the history, or the newest backup of the database"),
        )
    return found


def _digest(iteration: Iteration) -> str:
    fields = msgspec.structs.asdict(iteration).items()
    said = {name: value for name, value in fields if value != _DEFAULTS[name]}
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()
