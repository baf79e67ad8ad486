"""The folders that the open project's steps may use, as the settings show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct

from app.i18n import lazy
from app.studio.integrations.folders import Folders
from app.studio.workspace import Workspace
from app.viewmodels.watched import Watched

Access: TypeAlias = Literal["read", "write"]
Reason: TypeAlias = Literal["exports", "allowed", "library"]
ACCESS_WORDS = {"read": lazy("Read"), "write": lazy("Read and write")}
REASON_WORDS = {
    "exports": lazy("Exports, always allowed"), "allowed": lazy("Allowed by you"),
    "library": lazy("Library, for every project"),
}


class FolderRow(Struct, frozen=True):
    """A folder that steps may use, how (`access`), and for which reason."""

    path: str
    access: Access
    reason: Reason


class FoldersShown(Struct, frozen=True):
    """The folders of the project of that name; `draft`: the project is not stored yet."""

    project: str = ""
    draft: bool = False
    rows: tuple[FolderRow, ...] = ()


class FolderList:
    """The folders that the open project's steps may use. `workspace` returns the open project's workspace; None if
    there is none."""

    def __init__(self, folders: Folders, workspace: Callable[[], Workspace | None]) -> None:
        self._folders = folders
        self._workspace = workspace
        self.shown: Watched[FoldersShown] = Watched(FoldersShown())

    async def refresh(self) -> None:
        """Read the folders of the open project again."""
        now = self._workspace()
        if now is None:
            self.shown.set(FoldersShown())
            return
        found = await self._folders.of(now.record)
        rows = (
            FolderRow(found.exports, "write", "exports"),
            *(FolderRow(one.path, one.access, "allowed") for one in found.allowed),
            *(FolderRow(path, "read", "library") for path in found.library),
        )
        if self._workspace() is now:
            self.shown.set(FoldersShown(now.name, now.draft, rows))

    async def allow(self, path: str, access: Access) -> str:
        """Let the steps use a folder, storing a draft first; returns the folder's absolute path, "" without a project.
        Raises `StudioError`."""
        now = self._workspace()
        if now is None:
            return ""
        await now.keep(now.name)
        whole = (await self._folders.allow(now.record, path, access)).path
        await self.refresh()
        return whole

    async def forget(self, path: str) -> None:
        """Withdraw a folder. Raises `StudioError` if it was not allowed."""
        now = self._workspace()
        if now is not None:
            await self._folders.forget(now.record, path)
            await self.refresh()
