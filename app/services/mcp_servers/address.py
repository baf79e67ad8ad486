"""How a server is reached: a command on this machine, or an address. Secrets are named here, never held."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from app.services.mcp_servers.errors import BadServer

NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
_OURS = re.compile(r"BANDLEADER_\w*|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|PYTHONSTARTUP")
_LONGEST = 4000


class Stdio(Struct, frozen=True, tag="stdio", tag_field="way", forbid_unknown_fields=True):
    """A program that is started with exactly these arguments and speaks on its standard streams. `taken` are variables
    read from the environment at each start, `given` plain values, `secret` variables whose values are in the
    keyring."""

    argv: tuple[str, ...]
    folder: str = ""
    taken: tuple[str, ...] = ()
    given: Mapping[str, str] = {}
    secret: tuple[str, ...] = ()


class Http(Struct, frozen=True, tag="http", tag_field="way", forbid_unknown_fields=True):
    """A server at a URL; `token`: the keyring has a token for it."""

    url: str
    token: bool = False


Address: TypeAlias = Stdio | Http


def check_name(name: str) -> str:
    """The name, if it is valid for a server. Raises `BadServer`."""
    if not NAME.fullmatch(name):
        raise BadServer(
            msg("{name!r} cannot name a server", name=name[:60]),
            why=msg("it takes small letters, digits and -, 31 at most"), fix=msg("a name such as clock"),
        )
    return name


def words_of(command: str) -> tuple[str, ...]:
    """The arguments of a command line, which no shell sees. Raises `BadServer`."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as problem:
        raise BadServer(msg("the command cannot be read"), why=str(problem), fix=msg("close every quote")) from None
    if not words or not words[0] or "\0" in command or len(command) > _LONGEST:
        raise BadServer(msg("the command names no program"), fix=FixKind.NAME_PROGRAM())
    return words


def check_variable(name: str) -> str:
    """The name, if a server may be given this environment variable. Raises `BadServer`."""
    if not _VARIABLE.fullmatch(name):
        raise BadServer(msg("that is not the name of a variable"), fix=FixKind.NAME_VARIABLE())
    if _OURS.fullmatch(name):
        raise BadServer(
            msg("{name} is not handed on", name=name), why=msg("it changes which code runs, or is Bandleader's own"),
        )
    return name


def shown(address: Address) -> str:
    """The address for people, without values of variables."""
    if isinstance(address, Http):
        return address.url + (" (with a token from the keyring)" if address.token else "")
    where = f" in {address.folder}" if address.folder else ""
    names = (*address.taken, *address.given, *address.secret)
    return shlex.join(address.argv) + where + (f" with {', '.join(names)}" if names else "")
