"""What became of the stretches of messages: stored once a plan is there, and read with the chat."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from agent.plan.plan import Clause
from agent.song.ids import ProjectId
from app.storage.records import MessageId
from app.storage.tables import MessageClausesRow, MessageRow, table


def put(connection: Connection, message: MessageId, clauses: Sequence[Clause]) -> None:
    """Store the clauses of a message, in place of earlier ones."""
    body = msgspec.json.encode(clauses).decode()
    new = insert(table(MessageClausesRow)).values(message=message, body=body)
    connection.execute(new.on_conflict_do_update(index_elements=["message"], set_={"body": body}))


def all_of(connection: Connection, project: ProjectId) -> dict[MessageId, tuple[Clause, ...]]:
    """The clauses of a project's messages, by the message's id; damaged ones are left out."""
    rows, said = table(MessageClausesRow), table(MessageRow)
    wanted = select(rows).join(said, said.c.id == rows.c.message).where(said.c.project == project)
    found = {}
    for row in connection.execute(wanted):
        try:
            found[MessageId(row.message)] = msgspec.json.decode(row.body, type=tuple[Clause, ...])
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            continue
    return found
