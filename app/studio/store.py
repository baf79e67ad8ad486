"""The database with the song objects in it, and the right of this process to write a project."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from agent.song.ids import IterationId, Kind, ProjectId, RunId, derive
from agent.song.revision import ContentHash
from agent.song.song import Song
from app.storage import leases, messages
from app.storage.database import Database, Transaction
from app.storage.objects import SongObjects
from app.storage.presence import ProgramPresence
from app.storage.records import ChatMessage, Lease, MessageId
from app.studio.writes import Writes


class Chat:
    """Stores messages in the chats of all projects, and remembers its own, to tell them from those of other
    programs."""

    def __init__(self) -> None:
        self._ours: set[tuple[MessageId, str]] = set()

    def say(self, transaction: Transaction, message: ChatMessage) -> MessageId:
        """Store a message in the caller's transaction; returns its id."""
        stored = messages.append(transaction, message)
        # With its time: the id of what is not stored in the end is given again, perhaps to another program.
        self._ours.add((stored.id, stored.created))
        return stored.id

    def news(self, transaction: Transaction, project: ProjectId, after: MessageId) -> tuple[ChatMessage, ...]:
        """Messages of a project with an id above `after` that other programs have stored, oldest first."""
        said = messages.all_after(transaction, project, after)
        return tuple(one for one in said if (one.id, one.created) not in self._ours)


T = TypeVar("T")


@dataclass(frozen=True)
class Store:
    """The database with the song objects, and this process's right to write projects."""

    database: Database
    objects: SongObjects
    presence: ProgramPresence
    writes: Writes = field(default_factory=Writes)
    chat: Chat = field(default_factory=Chat)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run a read-only function of a transaction and return its result."""
        return await self.database.read(work)

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Run a function in one write transaction and return its result."""
        return await self.writes.followed(self.database.write(work))

    def take(self, transaction: Transaction, project: ProjectId) -> Lease:
        """Acquire the lease to write a project; that of a crashed program is taken over at once. Raises `Busy` while
        another living program holds it."""
        held = leases.holder(transaction, project)
        if held is not None and self.presence.gone(held.owner):
            leases.release(transaction, held)
        return leases.acquire(transaction, project, self.presence.name)

    def free(self, transaction: Transaction, project: ProjectId) -> bool:
        """Whether no living program, including this one, holds the lease of a project."""
        held = leases.alive(transaction, project)
        return held is None or self.presence.gone(held.owner)

    def close(self) -> None:
        """Close the database, back it up and remove this program's presence file. Raises `StorageError` if closing
        failed."""
        trouble = self.database.close()
        self.presence.end()
        if trouble is not None:
            raise trouble

    async def song(self, root: ContentHash) -> Song:
        """The song of a revision."""
        return await self.database.read(lambda transaction: self.objects.load(transaction, root))


def new_project_id() -> ProjectId:
    """A new random id."""
    return ProjectId(derive(Kind.PROJECT, secrets.token_hex(16)))


def new_run_id() -> RunId:
    """A new random id."""
    return RunId(derive(Kind.RUN, secrets.token_hex(16)))


def new_iteration_id() -> IterationId:
    """A new random id."""
    return IterationId(derive(Kind.ITERATION, secrets.token_hex(16)))
