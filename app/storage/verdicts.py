"""What a person did with proposed rows: appended, listed."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import Connection, insert, select

from agent.song.ids import ProjectId
from app.storage.records import VerdictRecord, stamp
from app.storage.rows import record, values
from app.storage.tables import VerdictRow, table


def append(connection: Connection, verdict: VerdictRecord) -> None:
    """Store a verdict."""
    connection.execute(insert(table(VerdictRow)), values(replace(verdict, created=stamp())))


def recent(connection: Connection, project: ProjectId, limit: int) -> tuple[VerdictRecord, ...]:
    """The last `limit` verdicts of a project, newest first."""
    rows = table(VerdictRow)
    wanted = select(rows).where(rows.c.project == project).order_by(rows.c.id.desc()).limit(limit)
    found = connection.execute(wanted).mappings().all()
    return tuple([record(row, VerdictRecord, f"verdict {row['id']}") for row in found])
