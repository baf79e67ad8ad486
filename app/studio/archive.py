"""What is stored, opened without all that plans, plays and speaks to others."""

from __future__ import annotations

from dataclasses import dataclass

from app.paths import Paths
from app.private_files import close_to_others
from app.storage.database import Database
from app.storage.objects import SongObjects
from app.storage.presence import ProgramPresence
from app.studio.history import History
from app.studio.projects import Projects
from app.studio.store import Store


@dataclass(frozen=True)
class Archive:
    """The projects and their versions. Close it at the end."""

    store: Store
    projects: Projects
    history: History

    async def close(self) -> None:
        """Close the database and back it up. Raises `StorageError` if that failed."""
        self.store.close()


def open_archive(paths: Paths, *, to_read: bool = False) -> Archive:
    """What the database of `paths` holds. Raises `StorageError`; `to_read` is content with reading where nothing can
    be stored (`Database.unwritable`)."""
    close_installation(paths)
    store = open_store(paths, to_read=to_read)
    return Archive(store, Projects(store), History(store))


def open_store(paths: Paths, *, to_read: bool) -> Store:
    """The database of `paths`, brought to today's schema. Raises as `Database.open` does."""
    database = Database.open(paths.database, paths.backups, to_read=to_read)
    seen = ProgramPresence.begin if database.unwritable is None else ProgramPresence.unseen
    return Store(database, SongObjects(), seen(paths.running))


def close_installation(paths: Paths) -> None:
    """Take all rights of other users off what an earlier start, or another program, has left open to them."""
    for place in (*paths.private_folders, *paths.private_files()):
        close_to_others(place)
