"""Servers of tools as the settings show them: how each is reached, and what was found there the last time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.errors import BandleaderError
from app.i18n import lazy, tr
from app.services.mcp_servers.address import Http, words_of
from app.services.mcp_servers.plain_text import revealed
from app.storage import mcp_servers
from app.studio.integrations.server_drafts import ServerDraft, draft_of_command, draft_of_url
from app.studio.integrations.server_secrets import looks_secret
from app.studio.integrations.servers import Looked, Server, Servers
from app.studio.store import Store
from app.viewmodels.texts.extras import missing_extra
from app.viewmodels.texts.fixes import Told
from app.viewmodels.texts.tool_texts import ToolSeen, differences_words, seen_as_approved, seen_with_changes
from app.viewmodels.watched import Watched

ServerState: TypeAlias = Literal["approved", "answers", "changed", "unreachable", "damaged"]
STATE_WORDS: Mapping[ServerState, str] = {
    "approved": lazy("Approved"), "answers": lazy("Approved, answers"), "changed": lazy("Changed: needs you"),
    "unreachable": lazy("Cannot be reached"), "damaged": lazy("Damaged: forget it"),
}


class ServerRow(Struct, frozen=True):
    """A tool server: `way` is "Program" or "Address" in the person's language (empty for a damaged one), `tools` the
    number of approved tools, `approved` a time (ISO 8601, UTC); `note` explains the state in a sentence without full
    stop."""

    name: str
    way: str
    state: ServerState
    tools: int = 0
    address: str = ""
    approved: str = ""
    note: str = ""


class ServerList:
    """All tool servers. None is connected to before the person inspects or tests one."""

    def __init__(self, servers: Servers, store: Store) -> None:
        self._servers = servers
        self._store = store
        self._known: dict[str, Server] = {}
        self._damaged: tuple[str, ...] = ()
        self._found: dict[str, Looked | BandleaderError] = {}
        self.rows: Watched[tuple[ServerRow, ...]] = Watched(())

    async def missing(self) -> Told | None:
        """What must be installed before servers can be used; None if nothing."""
        return await asyncio.to_thread(missing_extra, "mcp")

    async def refresh(self) -> None:
        """Read the stored servers again."""
        names = [row.name for row in await self._store.read(mcp_servers.all_of)]
        self._known = {one.name: one for one in await self._servers.all()}
        self._damaged = tuple(name for name in names if name not in self._known)
        self._found = {name: found for name, found in self._found.items() if name in self._known}
        self._tell()

    async def tools(self, name: str) -> tuple[ToolSeen, ...]:
        """The approved tools of a server, with what has changed since if that is known; empty for an unknown server."""
        server, found = self._known.get(name), self._found.get(name)
        if server is None:
            return ()
        if isinstance(found, Looked) and found.differences:
            return await asyncio.to_thread(seen_with_changes, name, found.tools, found.differences)
        return await asyncio.to_thread(seen_as_approved, name, server.tools)

    def to_approve(self, name: str) -> Looked | None:
        """What the last test has found, if it differs from what is approved; else None."""
        found = self._found.get(name)
        return found if isinstance(found, Looked) and found.differences else None

    async def look(self, draft: ServerDraft) -> tuple[Looked, tuple[ToolSeen, ...]]:
        """Connect to a new server and read its tools; nothing is stored. Raises `BandleaderError`s of
        `Servers.look`."""
        looked = await self._servers.look(draft)
        return looked, await asyncio.to_thread(seen_as_approved, draft.name, looked.tools)

    async def add(self, draft: ServerDraft, looked: Looked) -> None:
        """Approve and store a new server with the tools that were shown."""
        await self._servers.add(draft, looked)
        await self.refresh()

    async def test(self, name: str) -> Looked:
        """Connect and compare the tools with the approved ones. An error is remembered for the list, and raised."""
        try:
            looked = await self._servers.test(name)
        except BandleaderError as error:
            self._found[name] = error
            self._tell()
            raise
        self._found[name] = looked
        self._tell()
        return looked

    async def approve(self, name: str, looked: Looked) -> None:
        """Approve the tools that were shown, in place of those before."""
        await self._servers.approve(looked)
        self._found.pop(name, None)
        await self.refresh()

    async def forget(self, name: str) -> None:
        """Remove a server with its tools and secrets. Raises `KeyringError` if the keyring may still contain one."""
        await self._servers.forget(name)
        self._found.pop(name, None)
        await self.refresh()

    def _tell(self) -> None:
        rows = [self._row(server) for server in self._known.values()]
        damaged = tr("What is stored of it cannot be read")
        rows += [ServerRow(name, "", "damaged", note=damaged) for name in self._damaged]
        self.rows.set(tuple(sorted(rows, key=lambda row: row.name)))

    def _row(self, server: Server) -> ServerRow:
        state: ServerState = "approved"
        note, found = "", self._found.get(server.name)
        if isinstance(found, Looked):
            state, note = ("changed", differences_words(found.differences)) if found.differences else ("answers", "")
        elif found is not None:
            state, note = "unreachable", found.what
        way = tr("Address") if isinstance(server.address, Http) else tr("Program")
        return ServerRow(server.name, way, state, len(server.tools), revealed(server.shown), server.approved, note)


def argv_words(command: str) -> str:
    """The arguments of a command, one a line and numbered, with hidden characters made visible. Raises `BadServer` if
    there are none."""
    return "\n".join(f"{number}  {revealed(word)}" for number, word in enumerate(words_of(command), 1))


def program_draft(name: str, command: str, folder: str, variables: Mapping[str, str | None]) -> ServerDraft:
    """A draft of a server that is a local program: its command line, working folder (empty: none) and environment
    variables by name (None: read from the environment at each start). Reads the disk. Raises `BadServer` and
    `StudioError`."""
    return draft_of_command(name.strip(), words_of(command), folder.strip(), variables)


def address_draft(name: str, url: str, token: str) -> ServerDraft:
    """A draft of a server at an address; an empty `token` means none. Raises `BadServer` and `StudioError`."""
    return draft_of_url(name.strip(), url, token.strip() or None)


def variable_words(name: str, value: str | None) -> str:
    """How an environment variable is set, in words, without a value that looks like a secret."""
    if value is None:
        return tr("taken from the environment at each start")
    if looks_secret(name, value):
        return tr("a secret, kept by the keyring")
    return tr("given as {value}", value=revealed(value))
