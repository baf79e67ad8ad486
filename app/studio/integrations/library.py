"""The library over the user's own folders: added, looked through, searched, tagged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from agent.song.palette import Palette
from app.paths import Paths
from app.services.files.errors import FileError
from app.services.files.names import shown
from app.services.files.system_door import open_door
from app.services.library.file_names import tag_of
from app.services.library.library_service import ItemsFound, QueryLibrary, found
from app.services.library.scanning import Budget, FolderScan, Scanner
from app.services.library.shelf import LibraryItem
from app.storage import library_index
from app.storage.database import Transaction
from app.storage.library_index import FileKind, LibraryFile, LibraryFolder
from app.studio.errors import StudioError
from app.studio.integrations.folders import shareable, spellings
from app.studio.store import Store

MAX_FAULTS = 200


class FolderState(Struct, frozen=True):
    """A folder of the library; `midi` and `samples` count usable files, `faults` those that cannot be read. `indexed`
    is when it was scanned last, None for never."""

    path: str
    indexed: str | None
    midi: int
    samples: int
    faults: int


class LibraryFault(Struct, frozen=True):
    """A file or folder that cannot be used, and why."""

    path: str
    why: str


class Scanned(Struct, frozen=True):
    """The result of a scan. `faults` are the first 200 files in these folders that cannot be read, `faults_left_out`
    the number of further ones; `troubles` are folders that could not be listed, whose files stay in the index.

    `stopped`: the scan was cancelled; what was read until then is stored."""

    folders: tuple[FolderScan, ...]
    faults: tuple[LibraryFault, ...] = ()
    faults_left_out: int = 0
    troubles: tuple[LibraryFault, ...] = ()
    stopped: bool = False


class Library:
    """The items shipped with the program (`shelf`), and the index of the user's own files, which all projects share."""

    def __init__(
        self, store: Store, paths: Paths, palette: Palette, shelf: Sequence[LibraryItem], budget: Budget | None = None
    ) -> None:
        self.shelf = tuple(shelf)
        self._store = store
        self._paths = paths
        self._palette = palette
        self._budget = budget
        self._scanning = asyncio.Lock()
        self._ended = False

    async def folders(self) -> tuple[FolderState, ...]:
        """The library's folders with counts, by path."""

        def work(connection: Transaction) -> tuple[FolderState, ...]:
            counts = library_index.counts(connection)
            return tuple(
                FolderState(one.path, one.indexed, *counts.get(one.path, (0, 0, 0)))
                for one in library_index.folders(connection)
            )

        return await self._store.read(work)

    async def add(self, path: str | Path) -> LibraryFolder:
        """Add a folder without scanning it; plans of every project may then read it. Raises `StudioError` for a folder
        that may not be shared, and for one inside or around another of the library."""
        whole = str(await asyncio.to_thread(shareable, path, self._paths))

        def work(connection: Transaction) -> LibraryFolder:
            for one in library_index.folders(connection):
                if one.path == whole:
                    return one
                if Path(whole).is_relative_to(one.path) or Path(one.path).is_relative_to(whole):
                    inner = Path(whole).is_relative_to(one.path)
                    raise StudioError(
                        msg("the folder {whole} cannot be added", whole=shown(whole)),
                        why=(
                            msg("{path} is in the library, and holds it", path=shown(one.path)) if inner
                            else msg("{path} is in the library, and lies in it", path=shown(one.path))
                        ),
                        fix=None if inner else FixKind.FORGET_FOLDER(shown(one.path)),
                    )
            return library_index.add_folder(connection, whole)

        return await self._store.write(work)

    async def forget(self, path: str | Path) -> str:
        """Remove a folder from the library, also one that does not exist any more; its files are untouched, and tags
        given by a person stay stored. Returns its path. Raises `StudioError` if it is not in the library."""
        known = {one.path for one in await self.folders()}
        whole = next((one for one in await asyncio.to_thread(spellings, path) if one in known), None)
        if whole is None:
            raise StudioError(
                msg("the folder {path} is not in the library", path=shown(str(path))), fix=FixKind.LIST_LIBRARY(),
            )
        gone = whole
        await self._store.write(lambda connection: library_index.forget_folder(connection, gone))
        return gone

    async def scan(
        self, folder: str | None = None, *, progress: Callable[[float, str], None] = lambda _share, _what: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Scanned:
        """Scan one folder, or with None all, in a thread; only new and changed files are read. `progress` (a share from
        0 to 1 and a path) and `cancelled` are called from that thread. A scan under way is waited for."""
        known = [one.path for one in await self.folders()]
        if folder is not None and folder not in known:
            raise StudioError(
                msg("the folder {folder} is not in the library", folder=shown(folder)), fix=FixKind.LIST_LIBRARY(),
            )
        wanted = known if folder is None else [folder]
        async with self._scanning:
            return await asyncio.to_thread(self._scan, wanted, progress, lambda: self._ended or cancelled())

    async def find(self, wanted: QueryLibrary) -> ItemsFound:
        """The items of the shelf and of the user's files that match."""
        return await asyncio.to_thread(found, wanted, self.shelf, self)

    async def tag(self, path: str | Path, *tags: str) -> tuple[str, ...]:
        """Add tags to a file of the library, which survive a new scan; returns all tags given to it."""
        return await self._mark(path, tags, library_index.tag)

    async def untag(self, path: str | Path, *tags: str) -> tuple[str, ...]:
        """Remove tags that a person gave a file; returns the remaining ones."""
        return await self._mark(path, tags, library_index.untag)

    def end(self) -> None:
        """Let a scan under way stop after its current file, as the program ends."""
        self._ended = True

    def files(self, kinds: Sequence[FileKind]) -> tuple[LibraryFile, ...]:
        """The indexed files of these kinds by path, including unreadable ones; blocks until the database has
        answered."""
        return self._store.database.read_now(lambda connection: library_index.files(connection, kinds))

    async def _mark(
        self, path: str | Path, tags: Sequence[str], change: Callable[[Transaction, str, Sequence[str]], object]
    ) -> tuple[str, ...]:
        plain = [tag for tag in map(tag_of, tags) if tag]
        if not plain:
            raise StudioError(msg("which tag?"), why=msg("a tag is a word or two"), fix=FixKind.WRITE_TAG())
        written = await asyncio.to_thread(spellings, path)

        def work(connection: Transaction) -> tuple[str, ...]:
            whole = next((one for one in written if library_index.holds(connection, one)), None)
            if whole is None:
                raise StudioError(
                    msg("the file {path} is not in the library", path=shown(str(path))), fix=FixKind.SCAN_LIBRARY()
                )
            change(connection, whole, plain)
            return library_index.own_tags(connection).get(whole, ())

        return await self._store.write(work)

    def _scan(
        self, folders: Sequence[str], progress: Callable[[float, str], None], cancelled: Callable[[], bool]
    ) -> Scanned:
        scans: list[FolderScan] = []
        troubles: list[LibraryFault] = []
        for number, folder in enumerate(folders):
            if cancelled():
                break
            try:
                scans.append(self._scan_one(folder, _part_of(progress, number, len(folders)), cancelled))
            except FileError as problem:
                troubles.append(LibraryFault(folder, problem.why or problem.what))
        bad = [
            LibraryFault(one.path, one.fault)
            for one in self.files(("midi", "sample")) if one.fault and one.folder in folders
        ]
        stopped = len(scans) + len(troubles) < len(folders) or any(one.stopped for one in scans)
        return Scanned(
            tuple(scans), tuple(bad[:MAX_FAULTS]), max(0, len(bad) - MAX_FAULTS), tuple(troubles), stopped
        )

    def _scan_one(
        self, folder: str, progress: Callable[[float, str], None], cancelled: Callable[[], bool]
    ) -> FolderScan:
        database = self._store.database

        def keep(files: Sequence[LibraryFile]) -> None:
            def work(connection: Transaction) -> None:
                # Forgotten meanwhile: then nothing of it is kept.
                if any(one.path == folder for one in library_index.folders(connection)):
                    library_index.put_files(connection, files)

            if files:
                database.write_now(work)

        known = database.read_now(lambda connection: library_index.known(connection, folder))
        done = Scanner(open_door(), self._palette, keep, progress, cancelled, self._budget).scan(folder, known)

        def end(connection: Transaction) -> None:
            library_index.drop_files(connection, done.gone)
            library_index.note_indexed(connection, folder)

        if not done.stopped:
            database.write_now(end)
        return done


def _part_of(progress: Callable[[float, str], None], number: int, parts: int) -> Callable[[float, str], None]:
    return lambda share, what: progress((number + share) / parts, what)
