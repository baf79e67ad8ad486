"""The servers of tools that the user added, as they were approved: listed, found, stored, forgotten."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from app.storage.records import stamp
from app.storage.rows import record, values
from app.storage.tables import McpServerRow, table


class McpServer(Struct, frozen=True):
    """An MCP server; `way` is how it is reached, `address` and `tools` are JSON that the caller encodes. `created` and
    `approved` are times, given when it is stored."""

    name: str
    way: str
    address: str
    tools: str
    created: str = ""
    approved: str | None = None


def all_of(connection: Connection) -> tuple[McpServer, ...]:
    """All servers by name."""
    rows = table(McpServerRow)
    found = connection.execute(select(rows).order_by(rows.c.name)).mappings().all()
    return tuple([record(row, McpServer, f"the server {row['name']}") for row in found])


def find(connection: Connection, name: str) -> McpServer | None:
    """The server of that name; None if there is none."""
    rows = table(McpServerRow)
    row = connection.execute(select(rows).where(rows.c.name == name)).mappings().first()
    return None if row is None else record(row, McpServer, f"the server {name}")


def put(connection: Connection, server: McpServer) -> None:
    """Store a server as approved now; for one that exists, replace what was approved."""
    now = stamp()
    new = insert(table(McpServerRow)).values(**{**values(server), "created": now, "approved": now})
    changed = {"way": server.way, "address": server.address, "tools": server.tools, "approved": now}
    connection.execute(new.on_conflict_do_update(index_elements=["name"], set_=changed))


def forget(connection: Connection, name: str) -> bool:
    """Remove a server; returns whether there was one."""
    rows = table(McpServerRow)
    return connection.execute(delete(rows).where(rows.c.name == name)).rowcount > 0
