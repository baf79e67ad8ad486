"""The version tree of the open project: listed, named, walked by undo and redo, restored, branched, compared."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from agent.message import msg
from agent.song.ids import IterationId, TrackId
from agent.song.palette import Palette
from app.i18n import tr
from app.storage.records import Iteration
from app.studio.errors import StudioError
from app.studio.history import History
from app.studio.undo import Steps, Trail, Walk, steps, trail
from app.studio.workspace import Workspace
from app.viewmodels.history.comparing import Comparison, compared
from app.viewmodels.history.picked_tracks import picked_names, with_tracks
from app.viewmodels.history.version_reasons import is_end
from app.viewmodels.watched import Watched

T = TypeVar("T")
_MOST = 20_000


class NothingLeft(StudioError):
    """There is nothing to undo or redo."""


class Versions:
    """The versions of the open project. `iterations` are newest first; `names` are given by the person; `steps` are
    what undo and redo lead to."""

    def __init__(self, history: History, workspace: Workspace) -> None:
        self._history = history
        self._workspace = workspace
        self._turn = asyncio.Lock()
        self._reading = asyncio.Lock()
        self._newest = 0
        self.iterations: Watched[tuple[Iteration, ...]] = Watched(())
        self.names: Watched[Mapping[IterationId, str]] = Watched({})
        self.at: Watched[IterationId | None] = Watched(workspace.head)
        self.damaged: Watched[tuple[str, ...]] = Watched(())
        self.steps: Watched[Steps] = Watched(Steps())

    @property
    def head(self) -> IterationId | None:
        """The id of the current version; None for a draft."""
        return self._workspace.head

    async def refresh(self) -> None:
        """Read new versions; known ones are not read again, as versions never change."""
        if self._workspace.draft:
            return
        async with self._reading:
            found = await self._history.of(self._workspace.record, _MOST, self._newest)
            self._newest = found.newest
            self.names.set(found.names)
            if found.iterations:
                self.iterations.set((*found.iterations, *self.iterations.value))
            self.damaged.set((*found.damaged, *self.damaged.value))
            self.at.set(self.head)
            self.steps.set(steps(self.iterations.value, self.head))

    def trail(self, most: int) -> Trail:
        """What repeated undo and redo lead to, at most `most` steps in each direction."""
        return trail(self.iterations.value, self.head, most)

    async def undo(self) -> Iteration:
        """Restore what was before the last change, as a new version, which is returned. Raises `NothingLeft`."""
        return await self._walk("undo")

    async def redo(self) -> Iteration:
        """Restore what the last undo took back, as a new version, which is returned. Raises `NothingLeft`."""
        return await self._walk("redo")

    async def walk_to(self, way: Walk, wanted: IterationId) -> None:
        """Undo or redo step by step until the song is that of version `wanted`. Raises `StudioError` if that version is
        not in the trail."""
        ahead = self.trail(_MOST)
        ids = [one.id for one in (ahead.undo if way == "undo" else ahead.redo)]
        if wanted not in ids:
            raise StudioError(msg("the song has changed meanwhile: there is no such step to {way}", way=way))
        for _ in range(ids.index(wanted) + 1):
            await self._walk(way)

    async def restore(self, wanted: IterationId) -> Iteration:
        """Make the song of an old version the newest version, which is returned."""
        async with self._turn:
            made = await self._history.restore(self._workspace, wanted)
            await self.refresh()
            return made

    async def go_on_from(self, wanted: IterationId) -> Iteration:
        """Continue from a version: the end of a branch becomes the current version, any other one begins a branch."""
        return await (self.go_to(wanted) if is_end(wanted, self.iterations.value) else self.branch(wanted))

    async def branch(self, wanted: IterationId) -> Iteration:
        """Begin a branch at an old version; returns its first version. Other versions stay."""
        async with self._turn:
            made = await self._history.branch(self._workspace, wanted)
            await self.refresh()
            return made

    async def go_to(self, wanted: IterationId) -> Iteration:
        """Make an existing version the current one, such as the end of another branch."""
        async with self._turn:
            found = await self._history.go_to(self._workspace, wanted)
            await self.refresh()
            return found

    async def name(self, wanted: IterationId, name: str) -> None:
        """Name a version; an empty name removes it."""
        await self._history.name(self._workspace, wanted, name)
        await self.refresh()

    async def compare(
        self, a: Iteration, b: Iteration, palette: Palette, also: Callable[[Comparison], T]
    ) -> tuple[Comparison, T]:
        """The differences from one version to the other, and what `also` makes of them, both worked out in a thread."""
        before, after = await self._history.song(a), await self._history.song(b)

        def work() -> tuple[Comparison, T]:
            found = compared(before, after, palette)
            return found, also(found)

        return await asyncio.to_thread(work)

    async def take_tracks(
        self, comparison: Comparison, a: Iteration, b: Iteration, tracks: Collection[TrackId]
    ) -> Iteration:
        """Begin a branch at A in which these tracks are as in B; returns its first version. Raises `SongError`."""
        song = await asyncio.to_thread(with_tracks, comparison.a, comparison.b, tracks)
        names = picked_names(comparison.a, comparison.b, tracks)
        label = tr("{names} of iteration {number}", names=names, number=b.number)
        async with self._turn:
            made = await self._history.branch(self._workspace, a.id, label, song)
            await self.refresh()
            return made

    async def _walk(self, way: Walk) -> Iteration:
        # One after the other, so that two quick presses walk two steps.
        async with self._turn:
            await self.refresh()
            target = self.steps.value.undo if way == "undo" else self.steps.value.redo
            if target is None:
                raise NothingLeft(msg("there is nothing to {way}", way=way))
            words = f"{'Undo: back to' if way == 'undo' else 'Redo:'} {target.label}"
            made = await self._history.restore(self._workspace, target.id, words[:120], way)
            await self.refresh()
            return made
