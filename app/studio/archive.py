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
    """The stored projects and their versions, without the rest of the studio. Must be closed."""

    store: Store
    projects: Projects
    history: History

    async def close(self) -> None:
        """Close the database and back it up. Raises `StorageError` if that failed."""
        self.store.close()


def open_archive(paths: Paths, *, to_read: bool = False) -> Archive:
    """Open the archive in the database of `paths`. Raises `StorageError`; with `to_read` a database that cannot be
    written is opened all the same (`Database.unwritable`)."""
    close_installation(paths)
    store = open_store(paths, to_read=to_read)
    return Archive(store, Projects(store), History(store))


def open_store(paths: Paths, *, to_read: bool) -> Store:
    """Open the database of `paths` and migrate it to the current schema. Raises as `Database.open` does."""
    database = Database.open(paths.database, paths.backups, to_read=to_read)
    seen = ProgramPresence.begin if database.unwritable is None else ProgramPresence.unseen
    return Store(database, SongObjects(), seen(paths.running))


def close_installation(paths: Paths) -> None:
    """Remove other users' permissions from the program's private folders and files, whoever has granted them."""
    for place in (*paths.private_folders, *paths.private_files()):
        close_to_others(place)
