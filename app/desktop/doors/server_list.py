"""Servers of tools as the settings show them: how each is reached, and what was found there the last time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.errors import BandleaderError
from app.desktop.texts.extras import missing_extra
from app.desktop.texts.fixes import Told
from app.desktop.texts.tool_texts import ToolSeen, differences_words, seen_as_approved, seen_with_changes
from app.desktop.watched import Watched
from app.services.mcp_servers.address import Http, words_of
from app.services.mcp_servers.plain_text import revealed
from app.storage import mcp_servers
from app.studio.doors.server_drafts import ServerDraft, draft_of_command, draft_of_url
from app.studio.doors.server_secrets import looks_secret
from app.studio.doors.servers import Looked, Server, Servers
from app.studio.store import Store
from app.words import later, tr

ServerState: TypeAlias = Literal["approved", "answers", "changed", "unreachable", "damaged"]
STATE_WORDS: Mapping[ServerState, str] = {
    "approved": later("Approved"), "answers": later("Approved, answers"), "changed": later("Changed: needs you"),
    "unreachable": later("Cannot be reached"), "damaged": later("Damaged: forget it"),
}


class ServerRow(Struct, frozen=True):
    """A server. `approved` is ISO 8601, UTC; `note` says more of the state, in a sentence without its stop."""

    name: str
    way: str
    state: ServerState
    tools: int = 0
    address: str = ""
    approved: str = ""
    note: str = ""


class ServerList:
    """All servers. Nobody is connected to before a person looks at a server or tests it."""

    def __init__(self, servers: Servers, store: Store) -> None:
        self._servers = servers
        self._store = store
        self._known: dict[str, Server] = {}
        self._damaged: tuple[str, ...] = ()
        self._found: dict[str, Looked | BandleaderError] = {}
        self.rows: Watched[tuple[ServerRow, ...]] = Watched(())

    async def missing(self) -> Told | None:
        """What must be installed before servers can be used."""
        return await asyncio.to_thread(missing_extra, "mcp")

    async def refresh(self) -> None:
        """Look again at what is stored."""
        names = [row.name for row in await self._store.read(mcp_servers.all_of)]
        self._known = {one.name: one for one in await self._servers.all()}
        self._damaged = tuple(name for name in names if name not in self._known)
        self._found = {name: found for name, found in self._found.items() if name in self._known}
        self._tell()

    async def tools(self, name: str) -> tuple[ToolSeen, ...]:
        """The tools of a server as they were approved, or with what changed since, if that is known."""
        server, found = self._known.get(name), self._found.get(name)
        if server is None:
            return ()
        if isinstance(found, Looked) and found.differences:
            return await asyncio.to_thread(seen_with_changes, name, found.tools, found.differences)
        return await asyncio.to_thread(seen_as_approved, name, server.tools)

    def to_approve(self, name: str) -> Looked | None:
        """What was found at a server that is not what was approved."""
        found = self._found.get(name)
        return found if isinstance(found, Looked) and found.differences else None

    async def look(self, draft: ServerDraft) -> tuple[Looked, tuple[ToolSeen, ...]]:
        """Start or ask a server and read what it offers; nothing is stored. Raises errors of the family."""
        looked = await self._servers.look(draft)
        return looked, await asyncio.to_thread(seen_as_approved, draft.name, looked.tools)

    async def add(self, draft: ServerDraft, looked: Looked) -> None:
        """Approve what was shown of a new server."""
        await self._servers.add(draft, looked)
        await self.refresh()

    async def test(self, name: str) -> Looked:
        """Connect and compare with what was approved. What cannot be reached is remembered, and raised."""
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
        """Approve what was shown in the place of what was approved before."""
        await self._servers.approve(looked)
        self._found.pop(name, None)
        await self.refresh()

    async def forget(self, name: str) -> None:
        """Forget a server, its tools and its secrets. Raises `KeyringError` where one may still be kept."""
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
    """The words that a program is started with, one a line and numbered; raises `BadServer` for none."""
    return "\n".join(f"{number}  {revealed(word)}" for number, word in enumerate(words_of(command), 1))


def program_draft(name: str, command: str, folder: str, variables: Mapping[str, str | None]) -> ServerDraft:
    """A server that is a program. Raises `BadServer` and `StudioError`; waits for the disk."""
    return draft_of_command(name.strip(), words_of(command), folder.strip(), variables)


def address_draft(name: str, url: str, token: str) -> ServerDraft:
    """A server at an address. Raises `BadServer` and `StudioError`."""
    return draft_of_url(name.strip(), url, token.strip() or None)


def variable_words(name: str, value: str | None) -> str:
    """How a variable is given, without its value if that looks like a secret."""
    if value is None:
        return tr("taken from the environment at each start")
    if looks_secret(name, value):
        return tr("a secret, kept by the keyring")
    return tr("given as {value}", value=revealed(value))
