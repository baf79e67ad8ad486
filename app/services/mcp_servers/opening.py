"""What a server is started with: its program or address, its environment and its secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from agent.message import msg
from app.services.mcp_servers.address import Address, Http, Stdio
from app.services.mcp_servers.ending import CloseReason
from app.services.mcp_servers.errors import BadServer
from app.services.mcp_servers.plain_text import Cleaner, cleaner
from app.services.mcp_servers.server_log import ServerLog

FindSecret: TypeAlias = Callable[[str], str | None]
"""Returns a server's secret by the name of its variable ("" for the token); may block on the keyring."""
Transport: TypeAlias = AbstractAsyncContextManager[tuple[Any, Any]]
_PASSED_ON = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "USER", "LOGNAME",
    "SYSTEMROOT", "SYSTEMDRIVE", "PATHEXT", "TEMP", "TMP", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "COMSPEC",
)
"""Environment variables that every program needs; others are only passed on if the server names them."""


class Patience(Struct, frozen=True):
    """Time limits in seconds: `begin` to connect, `tell` to list tools, `idle` without a call until the connection is
    closed, `end` to end the program."""

    begin: float = 60.0
    tell: float = 30.0
    idle: float = 120.0
    end: float = 6.0


@dataclass(frozen=True)
class ServerEnvironment:
    """What a server is started with: the environment for its variables, its secrets, and its log file."""

    environment: Mapping[str, str] = field(repr=False)
    secret: FindSecret = field(repr=False)
    log: Path
    patience: Patience = field(default_factory=Patience)


def transport_of(
    name: str, address: Address, around: ServerEnvironment, ending: CloseReason
) -> tuple[Transport, Cleaner]:
    """(transport, cleaner) for a server: the transport is not opened yet, the cleaner removes the server's secrets from
    texts. `ending` gets the reason why the connection was closed. May block on the keyring. Raises `BadServer` if a
    secret or a variable is missing."""
    secrets = _secrets(name, address, around.secret)
    clean = cleaner(tuple(secrets.values()))
    if isinstance(address, Http):
        from app.services.mcp_servers.http_transport import address as to_address

        return to_address(address.url, secrets.get(""), ending), clean
    from app.services.mcp_servers.stdio_transport import program

    environment = {**_taken(name, address, around.environment), **address.given, **secrets}
    return program(address.argv, address.folder, environment, ServerLog(around.log, clean), ending), clean


def _secrets(server: str, address: Address, find: FindSecret) -> dict[str, str]:
    names = address.secret if isinstance(address, Stdio) else ("",) * address.token
    found: dict[str, str] = {}
    for name in names:
        value = find(name)
        if value is None:
            kept = f"the value of {name}" if name else "the token"
            raise BadServer(
                msg("{kept} for {server} is not in the keyring", kept=kept, server=server),
                fix=msg("forget {server} and add it again", server=server),
            )
        found[name] = value
    return found


def _taken(server: str, stdio: Stdio, environment: Mapping[str, str]) -> dict[str, str]:
    for name in stdio.taken:
        if name not in environment:
            raise BadServer(
                msg("{name}, which {server} is to be given, is not set", name=name, server=server),
                fix=msg("set {name}, then try again", name=name),
            )
    return {name: environment[name] for name in (*_PASSED_ON, *stdio.taken) if name in environment}
