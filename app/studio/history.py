"""The version tree of a project: listed, named, compared, restored, branched."""

from __future__ import annotations

import asyncio

from agent.fixes import FixKind
from agent.message import msg
from agent.song.changes import Changes, compare
from agent.song.ids import IterationId
from agent.song.song import Song
from app.storage import iteration_names, iterations
from app.storage.database import Transaction
from app.storage.records import Iteration, Project, Source, StoredHistory
from app.studio.errors import StudioError
from app.studio.store import Store
from app.studio.undo import BRANCH, Way
from app.studio.workspace import Workspace


class History:
    """The stored versions of projects. Nothing here deletes one."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, project: Project, limit: int = 1000, after: int = 0) -> StoredHistory:
        """A project's iterations with a number above `after`, newest first, at most `limit`."""
        return await self._store.read(lambda transaction: iterations.history(transaction, project.id, limit, after))

    async def find(self, project: Project, wanted: str) -> Iteration:
        """The iteration that `wanted` names: by its id or the beginning of it, by its number ("#3" or "3"), or as
        `head`. Raises `StudioError` if there is none, or several."""
        known = (await self.of(project)).iterations
        if wanted == "head" and project.head is not None:
            wanted = project.head
        exact = [one for one in known if one.id == wanted or str(one.number) == wanted.removeprefix("#")]
        found = exact or [one for one in known if len(wanted) >= 4 and one.id.startswith(wanted)]
        if len(found) == 1:
            return found[0]
        why = (
            msg("{count} iterations begin like that", count=len(found)) if found
            else msg("project {project!r} has {count}", project=project.name, count=len(known))
        )
        raise StudioError(
            msg("there is no iteration {wanted!r:.60}", wanted=wanted), why=why, fix=FixKind.LIST_VERSIONS(),
        )

    async def song(self, iteration: Iteration) -> Song:
        """The song of an iteration."""
        return await self._store.song(iteration.root)

    async def compare(self, a: Iteration, b: Iteration) -> Changes:
        """The differences from iteration `a` to `b`."""
        return await asyncio.to_thread(compare, await self.song(a), await self.song(b))

    async def restore(
        self, workspace: Workspace, wanted: IterationId, label: str = "", how: Way = "restore"
    ) -> Iteration:
        """Make the song of an older iteration the newest iteration, with this `label`, and return it. Raises `RunError`
        while a run holds the song. `how` says what made it: "restore", "undo" or "redo"."""
        old = await self._of(workspace, wanted)
        words = label or f"Restored #{old.number}: {old.label}"
        return await workspace.replace(await self.song(old), "restore", words[:120], message=f"{how} {old.id}")

    async def branch(
        self, workspace: Workspace, wanted: IterationId, label: str = "", song: Song | None = None
    ) -> Iteration:
        """Make a new iteration with this `label` as a child of an older one and continue from there; returns it. It
        has the older one's song, or `song` if that was merged from several. Raises `RunError` while a run holds the
        song."""
        old = await self._of(workspace, wanted)
        words = label or f"Branch from #{old.number}: {old.label}"
        begun = await self.song(old) if song is None else song
        source: Source = "restore" if song is None else "merge"
        return await workspace.replace(begun, source, words[:120], message=f"{BRANCH} {old.id}", parent=old.id)

    async def go_to(self, workspace: Workspace, wanted: IterationId) -> Iteration:
        """Make an existing iteration, such as the end of another branch, the current one; returns it. Raises as
        `branch` does."""
        old = await self._of(workspace, wanted)
        await workspace.go_to(old)
        return old

    async def name(self, workspace: Workspace, wanted: IterationId, name: str) -> None:
        """Give an iteration a name, put on one line and cut to its maximum; an empty one removes the name."""
        old = await self._of(workspace, wanted)
        words = " ".join(name.replace("\0", " ").split())[: iteration_names.LONGEST_NAME]
        await self._store.write(lambda transaction: iteration_names.put(transaction, old.id, words))

    def song_of(self, project: str, iteration: str) -> Song:
        """The song of an iteration of a project, for the service of versions; blocks until the database has answered.
        Raises `StudioError` if there is none."""

        def work(transaction: Transaction) -> Song:
            found = iterations.find(transaction, IterationId(iteration))
            if found is None or found.project != project:
                raise StudioError(
                    msg("there is no iteration {iteration!r:.60}", iteration=iteration), fix=FixKind.LIST_VERSIONS(),
                )
            return self._store.objects.load(transaction, found.root)

        return self._store.database.read_now(work)

    async def _of(self, workspace: Workspace, wanted: IterationId) -> Iteration:
        old = await self._store.read(lambda transaction: iterations.find(transaction, wanted))
        if old is None or old.project != workspace.project:
            raise StudioError(
                msg(
                    "there is no iteration {wanted!r:.60} in project {workspace!r}",
                    wanted=wanted, workspace=workspace.name,
                ),
            )
        return old

    async def later_than(self, project: Project, iteration: IterationId) -> tuple[Iteration, ...]:
        """Iterations with a higher number than this one, oldest first."""
        known = (await self.of(project)).iterations
        number = next((one.number for one in known if one.id == iteration), 0)
        return tuple(sorted((one for one in known if one.number > number), key=lambda one: one.number))
