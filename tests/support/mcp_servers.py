"""Connections to MCP servers for tests."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from agent.services.service import Call, Origin
from agent.song.song import Song
from app.services.mcp_servers.address import Address, Stdio
from app.services.mcp_servers.connection import Connection
from app.services.mcp_servers.opening import Patience, ServerEnvironment
from app.services.mcp_servers.service import McpService

ODD = Path(__file__).parent / "mcp_odd_server.py"


def odd(folder: Path, *ways: str, **variables: Any) -> Stdio:
    """The address of the server that misbehaves in these ways."""
    return Stdio((sys.executable, str(ODD), str(folder), *ways), **variables)


def connection(
    folder: Path, address: Address, secrets: Mapping[str, str] | None = None, patience: Patience | None = None
) -> Connection:
    """A connection with the environment of this process to choose from."""
    known = secrets or {}
    around = ServerEnvironment(dict(os.environ), known.get, folder / "server.log", patience or Patience())
    return Connection("odd", address, around)


@asynccontextmanager
async def service(
    folder: Path, *ways: str, secrets: Mapping[str, str] | None = None, patience: Patience | None = None,
    address: Address | None = None, **variables: Any,
) -> AsyncIterator[McpService]:
    """The misbehaving server, approved as it is at first, as a service."""
    to = connection(folder, address or odd(folder, *ways, **variables), secrets, patience)
    try:
        yield McpService("odd", await to.tools(), to)
    finally:
        await to.close()


def asking(tool: str, **inputs: Any) -> Call:
    """A call of a tool of it."""
    return Call(f"odd__{tool}", inputs, Song("Song"), Origin("hash", "s1", run="run"))
