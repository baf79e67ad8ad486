"""A server of tools that a person wants to add: checked, with its secrets apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agent.fixes import FixKind
from agent.message import msg
from app.paths import named_path
from app.services.mcp_servers.address import Address, Http, Stdio, check_name, check_variable
from app.studio.addresses import parse_address
from app.studio.errors import StudioError
from app.studio.integrations.server_secrets import looks_secret


@dataclass(frozen=True)
class ServerDraft:
    """An MCP server to be added. Its secrets, by the name of their variable ("" for the token), are only in memory
    until it is approved."""

    name: str
    address: Address
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)


def draft_of_command(
    name: str, argv: tuple[str, ...], folder: str = "", variables: Mapping[str, str | None] | None = None
) -> ServerDraft:
    """A draft of a server that is a local program, started with `argv` in `folder` ("": that of this process). A
    variable with the value None is taken from the environment at each start; a value that looks like a secret is kept
    in the keyring. Raises `BadServer` and `StudioError`."""
    wanted = {check_variable(variable): value for variable, value in (variables or {}).items()}
    given = {variable: value for variable, value in wanted.items() if value is not None}
    secrets = {variable: value for variable, value in given.items() if looks_secret(variable, value)}
    if any(looks_secret("", word) for word in argv):
        raise StudioError(
            msg("the command holds what looks like a secret"),
            why=msg("it would be stored, shown and seen by other programs"), fix=FixKind.HAND_VARIABLE(),
        )
    place = str(named_path(folder).absolute()) if folder else ""
    if place and not Path(place).is_dir():
        raise StudioError(
            msg("{place} is no folder", place=place), fix=msg("name the folder that the server is to be started in"),
        )
    address = Stdio(
        argv, place, tuple(variable for variable, value in wanted.items() if value is None),
        {variable: value for variable, value in given.items() if variable not in secrets}, tuple(secrets),
    )
    return ServerDraft(check_name(name), address, secrets)


def draft_of_url(name: str, url: str, token: str | None = None) -> ServerDraft:
    """A draft of a server at an address: https, or http within the local network; `token` is sent with each call, None
    for none. Raises `BadServer` and `StudioError`."""
    address = parse_address(url)
    if address.open:
        raise StudioError(
            msg("{origin} is not on this machine or in its network", origin=address.origin),
            why=msg("over http others could read what is sent"), fix=msg("use its https address"),
        )
    secrets = {} if token is None else {"": token}
    return ServerDraft(check_name(name), Http(address.url, token is not None), secrets)
