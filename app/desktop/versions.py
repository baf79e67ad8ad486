"""The version tree of the open project: listed, walked by undo and redo, restored, compared."""

from __future__ import annotations

import asyncio

from agent.song.changes import Changes, compare
from agent.song.ids import IterationId
from app.desktop.watched import Watched
from app.storage.records import Iteration
from app.studio.errors import StudioError
from app.studio.history import History
from app.studio.undo import Steps, Way, steps
from app.studio.workspace import Workspace


class Versions:
    """`iterations` are newest first; `steps` tells what undo and redo lead to."""

    def __init__(self, history: History, workspace: Workspace) -> None:
        self._history = history
        self._workspace = workspace
        self._turn = asyncio.Lock()
        self.iterations: Watched[tuple[Iteration, ...]] = Watched(())
        self.damaged: Watched[tuple[str, ...]] = Watched(())
        self.steps: Watched[Steps] = Watched(Steps())

    @property
    def head(self) -> IterationId | None:
        """The version that the song is at."""
        return self._workspace.head

    async def refresh(self) -> None:
        """Read the tree again."""
        if self._workspace.draft:
            return
        found = await self._history.of(self._workspace.record)
        self.iterations.set(found.iterations)
        self.damaged.set(found.damaged)
        self.steps.set(steps(found.iterations, self.head))

    async def undo(self) -> Iteration:
        """Restore what was before the last change, as a new version."""
        return await self._walk("undo")

    async def redo(self) -> Iteration:
        """Restore what the last undo took back, as a new version."""
        return await self._walk("redo")

    async def restore(self, wanted: IterationId) -> Iteration:
        """Make an old version the newest one."""
        async with self._turn:
            made = await self._history.restore(self._workspace, wanted)
            await self.refresh()
            return made

    async def compare(self, a: Iteration, b: Iteration) -> Changes:
        """What leads from one version to the other."""
        before, after = await self._history.song(a), await self._history.song(b)
        return await asyncio.to_thread(compare, before, after)

    async def _walk(self, way: Way) -> Iteration:
        # One after the other, so that two quick presses walk two steps.
        async with self._turn:
            await self.refresh()
            target = self.steps.value.undo if way == "undo" else self.steps.value.redo
            if target is None:
                raise StudioError(f"there is nothing to {way}")
            words = f"{'Undo: back to' if way == 'undo' else 'Redo:'} {target.label}"
            made = await self._history.restore(self._workspace, target.id, words[:120], way)
            await self.refresh()
            return made
