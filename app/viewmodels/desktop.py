"""The application as its window sees it: one open project, the others at hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from agent.errors import BandleaderError
from agent.song.ids import ProjectId
from agent.song.song import Song
from agent.song.time import Ticks
from app.exchange.midi_in import ImportedMidi, import_midi
from app.services.exporting import Exported
from app.services.formats import Format
from app.storage import preferences, runs
from app.storage.errors import StorageError
from app.storage.records import Project
from app.storage.rows import decoded
from app.studio.importing import Imported, bring_in
from app.studio.studio import Studio
from app.studio.workspace import HOLDING, Workspace
from app.viewmodels.chat.choosing import Choosing
from app.viewmodels.edits.track_edits import brought_in
from app.viewmodels.open_project import OpenProject
from app.viewmodels.preferences import PreferenceStore
from app.viewmodels.services import Services
from app.viewmodels.texts.troubles import ErrorReporter
from app.viewmodels.transport.playback import Playback
from app.viewmodels.watched import Watched

_RECENT = 8
_AGAIN = "again"
_LONGEST_REQUEST = 100_000


_Wait: TypeAlias = Callable[[], Awaitable[None]]


class Recent(Struct, frozen=True):
    """A project for the start page. `changed` is ISO 8601, UTC."""

    project: Project
    song: Song
    iterations: int
    changed: str


class Desktop:
    """Opens and closes projects; there is always one open, at first an empty draft that is not stored. `make_playback`
    makes the playback of each; `leave` stops the rendering for playback; `end` is called after the last project and the
    studio were closed."""

    def __init__(
        self, studio: Studio, make_playback: Callable[[], Playback], troubles: ErrorReporter,
        end: Callable[[], None] = lambda: None, leave: Callable[[], None] = lambda: None,
    ) -> None:
        self.studio = studio
        self.troubles = troubles
        self.choosing = Choosing(studio.models, studio.spending, studio.planners.probe)
        self.preferences = PreferenceStore(studio.store)
        self._make_playback = make_playback
        self._leave = leave
        self._end = end
        self._turn = asyncio.Lock()
        self._closed = False
        self.opened: Watched[OpenProject | None] = Watched(None)
        """The open project; None only before `begin` and after `close`."""
        self.services = Services(studio, self.opened)
        self.unsent = ""
        """The unsent request that was in the chat's box before a restart; empty for none."""
        self._awaited: list[tuple[_Wait, _Wait]] = []

    def wait_for(self, dressed: _Wait, revealed: _Wait) -> Callable[[], None]:
        """Open projects for a window: `dressed` waits until the views of the project that was opened last are there,
        `revealed` lets them be seen, when they show what is stored beside the song. The returned function ends that."""
        window = (dressed, revealed)
        self._awaited.append(window)
        return lambda: self._awaited.remove(window)

    async def begin(self) -> OpenProject:
        """Open the project kept for a restart, else that of a run left unfinished, else an empty draft."""
        self.studio.store.database.expect_writing()
        for reading in (self.preferences.load, self.choosing.refresh):
            try:
                await reading()
            except BandleaderError as error:
                self.troubles.tell(error, "window")
        left = await self._before_restart() or await self._left_in_the_middle()
        if left is not None:
            try:
                return await self.open(left)
            except BandleaderError as error:
                self.troubles.tell(error, "window")
        return await self.new()

    async def new(self) -> OpenProject:
        """Open an empty draft in place of the open project; it is stored with its first change or request."""
        draft = await self.studio.projects.draft("Untitled")
        return await self._show(await self.studio.open(draft))

    async def open(self, name_or_id: str) -> OpenProject:
        """Open another project in place of the open one. Raises `StudioError` if there is none of that name or id."""
        project = await self.studio.projects.find(name_or_id)
        now = self.opened.value
        if now is not None and now.workspace.project == project.id:
            return now
        opened = await self._show(await self.studio.open(project))
        await self.studio.projects.use(project.id)
        return opened

    async def bring_in(self, path: Path) -> Imported:
        """Import a MIDI file into a new project, and open that.

        Raises `ExchangeError` for a file that cannot be read; the open project stays as it is.
        """
        brought = await bring_in(self.studio, path, anew=True)
        await self.open(brought.project.id)
        return brought

    async def add_file(self, path: Path) -> ImportedMidi:
        """Add the tracks of a MIDI file to the open song, from bar 1 on, as one version; an empty song takes its tempo,
        meters and sections as well. A plan under review is put aside. Raises `ExchangeError` for a file that cannot be
        read, and `RunError` while a run holds the song."""
        now = self.opened.value
        assert now is not None
        found = await asyncio.to_thread(import_midi, path, self.studio.palette)
        await now.asking.approving.leave()
        if now.workspace.song.tracks:
            hand = await asyncio.to_thread(brought_in, found.song, Ticks(0), path.name)
            await now.edit(hand.edits, hand.label)
        else:
            await now.workspace.replace(found.song, "import", f"Imported {path.name}"[:120], message=path.name)
        return found

    async def recents(self) -> tuple[Recent, ...]:
        """The projects changed last, newest first; damaged ones are left out."""
        found = []
        for project in await self.studio.projects.all():
            with suppress(StorageError):
                versions = (await self.studio.history.of(project)).iterations
                if project.working is not None and versions:
                    found.append((versions[0].created, len(versions), project))
        newest = sorted(found, key=lambda one: one[0], reverse=True)[:_RECENT]
        shown = []
        for changed, count, project in newest:
            with suppress(StorageError):
                assert project.working is not None
                shown.append(Recent(project, await self.studio.store.song(project.working), count, changed))
        return tuple(shown)

    async def export(
        self,
        form: Format,
        path: Path,
        progress: Callable[[float, str], None],
        cancelled: Callable[[], bool],
        *,
        replace: bool = False,
    ) -> Exported:
        """Export the working song to `path`, as `Exporter.export` does; an existing file is only replaced if `replace`.
        `progress` and `cancelled` are called from another thread."""
        now = self.opened.value
        assert now is not None
        return await self.studio.exporter.export(
            now.workspace.song, form, path, replace=replace, progress=progress, cancelled=cancelled
        )

    async def setting(self, key: str) -> str | None:
        """A stored setting of the window; None if it is not set."""
        return await self.studio.store.read(lambda transaction: preferences.find(transaction, f"window.{key}"))

    async def set(self, key: str, value: str) -> None:
        """Store a setting of the window."""
        await self.studio.store.write(lambda transaction: preferences.put(transaction, f"window.{key}", value))

    async def keep_for_restart(self, request: str) -> None:
        """Store that the next start opens this project again, with `request` in the chat's box. Raises
        `StorageError`."""
        now = self.opened.value
        project = "" if now is None or now.workspace.draft else now.workspace.project
        await self.set(_AGAIN, msgspec.json.encode((project, request[:_LONGEST_REQUEST])).decode())

    def leave(self) -> None:
        """Stop rendering, so that `close` need not wait for it."""
        self._leave()
        self.studio.renderer.leave()

    async def close(self) -> None:
        """Close the project and then the studio; a second call does nothing. Raises `StorageError` if closing
        failed."""
        async with self._turn:
            if self._closed:
                return
            self._closed = True
            opened = self.opened.value
            try:
                if opened is not None:
                    self.opened.set(None)
                    await opened.close()
            finally:
                try:
                    await self.studio.close()
                finally:
                    await asyncio.to_thread(self._end)

    async def _before_restart(self) -> ProjectId | None:
        """The project of a session that ended to start again; kept for one start only."""
        with suppress(BandleaderError):
            kept = await self.setting(_AGAIN)
            if kept:
                await self.set(_AGAIN, "")
                project, self.unsent = decoded(kept, tuple[str, str], f"the setting window.{_AGAIN}", "write it again")
                return ProjectId(project) if project else None
        return None

    async def _left_in_the_middle(self) -> ProjectId | None:
        """The project used last, if a run holds its song."""
        with suppress(BandleaderError):
            last = await self.studio.projects.find(None)
            held = await self.studio.store.read(lambda transaction: runs.in_states(transaction, HOLDING, last.id))
            return last.id if held else None
        return None

    async def _show(self, workspace: Workspace) -> OpenProject:
        async with self._turn:
            before = self.opened.value
            opened = OpenProject(self.studio, workspace, self._make_playback(), self.troubles, self.choosing)
            opened.playback.hold_back(True)
            # Views of the project before must hear nothing of its end.
            self.opened.set(opened)
            try:
                for dressed, _ in tuple(self._awaited):
                    await dressed()
                if before is not None:
                    await before.leave()
                await opened.begin()
            finally:
                for _, revealed in tuple(self._awaited):
                    await revealed()
                opened.playback.hold_back(False)
            return opened
