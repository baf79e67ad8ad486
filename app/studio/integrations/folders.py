"""The folders that the steps of a project may use, and which folders nobody may allow."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from agent.song.ids import ProjectId
from app.paths import PathError, Paths, named_path
from app.services.files.names import hidden, shown
from app.services.files.places import Allowed, Grant
from app.storage import allowed_folders, library_index
from app.storage.allowed_folders import Access, AllowedFolder
from app.storage.database import Transaction
from app.storage.records import Project
from app.studio.errors import StudioError
from app.studio.export_folders import export_folder_in
from app.studio.projects import Projects
from app.studio.store import Store

_OF_THE_SYSTEM = ("/proc", "/sys", "/dev", "/run/secrets")
_SETTINGS = (("darwin", "Library"), ("win32", "AppData"))
_FIX = "choose a folder that holds only what you want to share, as ~/Music/MIDI"


class ProjectFolders(Struct, frozen=True):
    """Folders that a project's steps may use: `exports` for writing, `allowed` by the person, `library` for reading by
    every project."""

    exports: str
    allowed: tuple[AllowedFolder, ...]
    library: tuple[str, ...] = ()


class Folders:
    """The allowed folders of all projects."""

    def __init__(self, store: Store, projects: Projects, paths: Paths) -> None:
        self._store = store
        self._projects = projects
        self._paths = paths

    async def allow(self, project: Project, path: str | Path, access: Access = "read") -> AllowedFolder:
        """Let the steps of a project use a folder and everything below it; a second call changes the access. Raises
        `StudioError` for a path that is no folder, and for folders too broad to be shared, such as the home folder."""
        whole = str(await asyncio.to_thread(shareable, path, self._paths))
        return await self._store.write(lambda connection: allowed_folders.allow(connection, project.id, whole, access))

    async def forget(self, project: Project, path: str | Path) -> str:
        """Withdraw a folder, also one that does not exist any more; returns its path. Raises `StudioError` if it was
        not allowed."""
        known = {one.path for one in (await self.of(project)).allowed}
        wanted = next((one for one in await asyncio.to_thread(spellings, path) if one in known), None)
        if wanted is None:
            raise StudioError(
                msg(
                    "the folder {path!r} is not allowed in project {project!r}",
                    path=shown(str(path)), project=project.name,
                ),
                why=msg("allowed are: {shown}", shown=", ".join(map(shown, sorted(known))) or "none"),
                fix=FixKind.LIST_FOLDERS(),
            )
        gone = wanted
        await self._store.write(lambda connection: allowed_folders.forget(connection, project.id, gone))
        return gone

    async def of(self, project: Project) -> ProjectFolders:
        """All folders that the steps of a project may use."""

        def work(connection: Transaction) -> ProjectFolders:
            library = tuple(one.path for one in library_index.folders(connection))
            exports = self._exports(export_folder_in(connection, project))
            return ProjectFolders(exports, allowed_folders.of(connection, project.id), library)

        return await self._store.read(work)

    def allowed(self, project: str) -> Allowed:
        """All folders that the steps of a project (by id) may use, for the service of files; blocks until the database
        has answered."""
        folder = self._projects.export_folder_now(project)

        def work(connection: Transaction) -> tuple[Grant, ...]:
            own = allowed_folders.of(connection, ProjectId(project))
            library = library_index.folders(connection)
            return (
                *(Grant(one.path, one.access == "write") for one in own), *(Grant(one.path) for one in library),
            )

        return Allowed(Grant(self._exports(folder), write=True), self._store.database.read_now(work))

    def _exports(self, folder: str) -> str:
        return os.path.join(os.path.realpath(self._paths.exports), folder)


def shareable(path: str | Path, paths: Paths) -> Path:
    """The absolute path, without symbolic links, of a folder that may be shared with plans; reads the disk. Raises
    `StudioError` with the reason if it may not."""
    where = msg("the folder {path!r} cannot be used", path=shown(str(path)))
    try:
        folder = named_path(str(path)).resolve(strict=True)
        folder_is_there = folder.is_dir()
        if folder_is_there:
            os.scandir(folder).close()
    except PathError as error:
        raise StudioError(where, why=error.said.why, fix=error.fix) from None
    except (OSError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        why = "there is no such folder" if missing else str(getattr(error, "strerror", None) or error).lower()
        raise StudioError(where, why=why, fix=msg("make it, or write its path in full")) from None
    if not folder_is_there:
        raise StudioError(where, why=msg("it is not a folder"), fix=msg("name the folder that it is in"))
    if hidden(str(folder)):
        raise StudioError(where, why=msg("its path holds signs that cannot be seen"), fix=msg("rename it"))
    if why := _too_much(folder, paths):
        raise StudioError(where, why=why, fix=_FIX)
    return folder


def _too_much(folder: Path, paths: Paths) -> str:
    """Why a folder holds more than a plan may ever see; empty if it does not."""
    if folder == Path(folder.anchor):
        return "it is the whole disk"
    if any(folder.is_relative_to(one) for one in _OF_THE_SYSTEM):
        return "it belongs to the operating system"
    home = _home()
    if home is not None and home.is_relative_to(folder):
        return "it is your home folder" if home == folder else "your home folder is in it"
    if home is not None and folder.is_relative_to(home):
        first = folder.relative_to(home).parts[0]
        if first.startswith(".") or (sys.platform, first) in _SETTINGS:
            return "programs keep keys and settings there"
    exports = _real(paths.exports)
    if folder.is_relative_to(exports):
        return ""
    for ours in (paths.data, paths.cache, paths.logs):
        if folder.is_relative_to(_real(ours)) or _real(ours).is_relative_to(folder):
            return "the program's own data, with all projects, lies there"
    return ""


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):
        return None


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def spellings(path: str | Path) -> list[str]:
    """The forms in which a path typed by a person may have been stored."""
    plain = os.path.expanduser(str(path))
    return [str(path), os.path.abspath(plain), os.path.realpath(plain)]
