"""Servers of tools that the user adds: looked at, approved tool by tool, asked anew when they change, forgotten."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from agent.errors import BandleaderError
from agent.fixes import FixKind
from agent.message import msg
from agent.services.registry import Registry
from app.paths import Paths
from app.services.mcp_servers.address import Address, Http, Stdio, shown
from app.services.mcp_servers.connection import Connection
from app.services.mcp_servers.errors import BadServer
from app.services.mcp_servers.opening import ServerEnvironment
from app.services.mcp_servers.pins import Differences, Pin, differences, is_whole
from app.services.mcp_servers.service import PREFIX, McpService
from app.storage import mcp_servers
from app.storage.database import Database, Transaction
from app.storage.errors import Damaged, KeyringError, NoKeyring
from app.storage.keyring import Keys, clean_key
from app.storage.mcp_servers import McpServer
from app.studio.errors import StudioError
from app.studio.integrations.server_drafts import ServerDraft
from app.studio.store import Store


class Server(Struct, frozen=True):
    """An approved MCP server: its address, and its tools as approved."""

    name: str
    address: Address
    tools: tuple[Pin, ...]
    created: str
    approved: str

    @property
    def shown(self) -> str:
        """The address in words for people."""
        return shown(self.address)


class Looked(Struct, frozen=True):
    """The tools that a server offers now, and how they differ from the approved ones. A person approves exactly
    these."""

    name: str
    tools: tuple[Pin, ...]
    differences: Differences = Differences()


class Servers:
    """The MCP servers of this installation and their services in the registry. None is connected to before it is
    inspected or a run calls it. `environment` are the variables that may be passed on."""

    def __init__(
        self, store: Store, registry: Registry, keys: Keys, logs: Path, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._store = store
        self._registry = registry
        self._keys = keys
        self._logs = logs
        self._environment = environment
        self._offered: dict[str, McpServer] = {}
        self._left_out: dict[str, BandleaderError] = {}

    @property
    def left_out(self) -> tuple[BandleaderError, ...]:
        """Errors of stored servers that cannot be used."""
        return tuple(self._left_out.values())

    def take_in(self) -> None:
        """Put the tools of all stored servers into the registry, leaving out unusable ones; blocks until the database
        has answered."""
        for row in self._store.database.read_now(mcp_servers.all_of):
            self._offer(row)

    async def follow(self) -> None:
        """Update the registry with what other programs have added, approved or removed."""
        stored = {row.name: row for row in await self._store.read(mcp_servers.all_of)}
        for name in [name for name, row in self._offered.items() if stored.get(name) != row]:
            await self._drop(name)
        for name, row in stored.items():
            if name not in self._offered:
                self._offer(row)

    def _offer(self, row: McpServer) -> None:
        self._offered[row.name] = row
        try:
            server = _server(row)
            self._registry.adopt(self._service(server.name, server.address, server.tools))
        except BandleaderError as problem:
            self._left_out[row.name] = problem

    async def all(self) -> tuple[Server, ...]:
        """All servers that can be read, by name."""
        rows = await self._store.read(mcp_servers.all_of)
        return tuple(server for row in rows if (server := _readable(row)) is not None)

    async def find(self, name: str) -> Server:
        """The server of that name. Raises `StudioError` if there is none, and `Damaged` if it cannot be read."""
        row = await self._store.read(lambda connection: mcp_servers.find(connection, name))
        if row is None:
            raise StudioError(msg("there is no server called {name!r}", name=name[:60]), fix=FixKind.LIST_SERVERS())
        return _server(row)

    async def look(self, draft: ServerDraft) -> Looked:
        """Connect to a draft's server and read its tools; nothing is stored. Raises `ServerFault`, `BadServer`,
        `NotInstalled`, and `StudioError` if the name is taken."""
        if await self._store.read(lambda connection: mcp_servers.find(connection, draft.name)):
            raise StudioError(
                msg("there is a server called {draft} already", draft=draft.name),
                fix=FixKind.RENAME_SERVER(draft.name),
            )
        for variable, value in draft.secrets.items():
            clean_key(value, f"{draft.name} {variable}".strip())
        return Looked(draft.name, await self._tools(draft.name, draft.address, draft.secrets))

    async def add(self, draft: ServerDraft, looked: Looked) -> Server:
        """Store a server with the tools that were shown, and put them into the registry. Raises as `look`, and
        `KeyringError`; nothing is stored then."""
        kept: list[str] = []
        try:
            for variable, value in draft.secrets.items():
                await self._ask(self._keys.put, _key(draft.name, variable), value)
                kept.append(variable)
            return await self._stored(draft.name, draft.address, looked)
        except BaseException:
            for variable in kept:
                await self._ask(self._keys.forget, _key(draft.name, variable))
            raise

    async def test(self, name: str) -> Looked:
        """Connect and compare the tools with the approved ones; nothing is called or stored. Raises as `find` and
        `look`."""
        server = await self.find(name)
        now = await self._tools(name, server.address, None)
        return Looked(name, now, differences(server.tools, now))

    async def approve(self, looked: Looked) -> Server:
        """Approve the tools that were shown, in place of those before; they are in the registry from now on."""
        server = await self.find(looked.name)
        return await self._stored(server.name, server.address, looked)

    async def forget(self, name: str) -> None:
        """Remove a server with its tools and secrets. Raises `StudioError` if there is none, and `KeyringError` if the
        keyring may still contain a secret."""
        row = await self._store.read(lambda connection: mcp_servers.find(connection, name))
        if row is None:
            raise StudioError(msg("there is no server called {name!r}", name=name[:60]), fix=FixKind.LIST_SERVERS())
        server = _readable(row)
        for variable in _secrets_of(server.address) if server is not None else ():
            # Without a keyring nothing can have been kept.
            with suppress(NoKeyring):
                await self._ask(self._keys.forget, _key(name, variable))
        await self._store.write(lambda connection: mcp_servers.forget(connection, name))
        await self._drop(name)

    async def _stored(self, name: str, address: Address, looked: Looked) -> Server:
        service = self._service(name, address, looked.tools)
        row = McpServer(
            name, "http" if isinstance(address, Http) else "stdio", msgspec.json.encode(address).decode(),
            msgspec.json.encode(looked.tools).decode(),
        )

        def work(connection: Transaction) -> McpServer | None:
            mcp_servers.put(connection, row)
            return mcp_servers.find(connection, name)

        stored = await self._store.write(work)
        assert stored is not None
        await self._drop(name)
        self._registry.adopt(service)
        self._offered[name] = stored
        return _server(stored)

    def _service(self, name: str, address: Address, tools: tuple[Pin, ...]) -> McpService:
        """The service that offers the tools. Raises `BadServer` for tools that nobody can be offered."""
        try:
            return McpService(name, tools, self._connection(name, address, None))
        except Exception as fault:
            # Schemas are anybody's: one that cannot be read must keep neither a command nor the program from beginning.
            raise BadServer(
                msg("the tools of the server {name} cannot be offered", name=name),
                why=msg("reading them gave {name}", name=type(fault).__name__), fix=FixKind.ASK_SERVERS_MAKER(name),
            ) from fault

    async def _drop(self, name: str) -> None:
        self._offered.pop(name, None)
        self._left_out.pop(name, None)
        gone = self._registry.drop(f"{PREFIX}{name}")
        if isinstance(gone, McpService):
            await gone.close()

    async def _tools(self, name: str, address: Address, secrets: Mapping[str, str] | None) -> tuple[Pin, ...]:
        connection = self._connection(name, address, secrets)
        try:
            tools = await connection.tools()
            self._service(name, address, tools)
            return tools
        finally:
            await connection.close()

    def _connection(self, name: str, address: Address, secrets: Mapping[str, str] | None) -> Connection:
        find = (lambda variable: self._keys.find(_key(name, variable))) if secrets is None else secrets.get
        around = ServerEnvironment(self._environment, find, self._logs / f"mcp-{name}.log")
        # One that is looked at for the first time is not there yet to be tested by its name.
        return Connection(name, address, around, again="" if secrets is None else "add it again")

    async def _ask(self, question: object, *words: str) -> None:
        assert callable(question)
        try:
            await asyncio.to_thread(question, *words)
        except KeyringError as error:
            raise type(error)(error.what, why=error.why, fix=FixKind.UNLOCK_FOR_SERVER()) from None


def faults_of(paths: Paths) -> tuple[tuple[str, ...], tuple[BandleaderError, ...]]:
    """The names of stored servers that can be used, and the errors of those that cannot; opens and closes the
    database."""
    if not paths.database.exists():
        return (), ()
    database = Database.open(paths.database, paths.backups)
    try:
        rows = database.read_now(mcp_servers.all_of)
    finally:
        database.close()
    faults: list[BandleaderError] = []
    names: list[str] = []
    for row in rows:
        try:
            names.append(_server(row).name)
        except Damaged as problem:
            faults.append(problem)
    return tuple(names), tuple(faults)


def _key(name: str, variable: str) -> str:
    """What a secret of a server is called in the keyring."""
    return f"mcp {name} {variable}".rstrip()


def _secrets_of(address: Address) -> tuple[str, ...]:
    return ("",) * address.token if isinstance(address, Http) else address.secret


def _server(row: McpServer) -> Server:
    try:
        address = msgspec.json.decode(row.address, type=Stdio | Http)
        tools = msgspec.json.decode(row.tools, type=tuple[Pin, ...])
    except (msgspec.DecodeError, RecursionError) as error:
        raise _damaged(row, str(error)) from error
    if not all(map(is_whole, tools)):
        raise _damaged(row, "its tools are not those that were approved")
    return Server(row.name, address, tools, row.created, row.approved or row.created)


def _damaged(row: McpServer, why: str) -> Damaged:
    return Damaged(
        msg("what is stored of the server {row} is damaged", row=row.name), why=why,
        fix=FixKind.ADD_SERVER_AGAIN(row.name),
    )


def _readable(row: McpServer) -> Server | None:
    try:
        return _server(row)
    except Damaged:
        return None
