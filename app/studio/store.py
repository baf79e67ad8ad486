"""The database with the song objects in it, and the name under which this process writes."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from agent.song.ids import IterationId, Kind, ProjectId, RunId, derive
from agent.song.revision import ContentHash
from agent.song.song import Song
from app.storage.database import Database, Transaction
from app.storage.objects import SongObjects

T = TypeVar("T")


@dataclass(frozen=True)
class Store:
    """What every room of the studio reads and writes through."""

    database: Database
    objects: SongObjects
    owner: str = field(default_factory=lambda: f"bandleader-{secrets.token_hex(6)}")

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run work that only reads."""
        return await self.database.read(work)

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Run work in one transaction."""
        return await self.database.write(work)

    async def song(self, root: ContentHash) -> Song:
        """The song of a revision."""
        return await self.database.read(lambda transaction: self.objects.load(transaction, root))


def new_project_id() -> ProjectId:
    """A random id."""
    return ProjectId(derive(Kind.PROJECT, secrets.token_hex(16)))


def new_run_id() -> RunId:
    """A random id."""
    return RunId(derive(Kind.RUN, secrets.token_hex(16)))


def new_iteration_id() -> IterationId:
    """A random id."""
    return IterationId(derive(Kind.ITERATION, secrets.token_hex(16)))
