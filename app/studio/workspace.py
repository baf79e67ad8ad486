"""The workspace: one project's working song and the one door for every edit."""

from __future__ import annotations

from collections.abc import Sequence

from agent.fixes import FixKind
from agent.message import msg
from agent.session.run_state import RunError, RunState
from agent.song.apply import apply_all
from agent.song.changes import Changes, compare
from agent.song.edits import Edit
from agent.song.ids import IterationId, ProjectId
from agent.song.revision import ContentHash, song_revision
from agent.song.rules import check
from agent.song.song import Song
from app.storage import iterations, leases, projects, runs
from app.storage.database import Transaction
from app.storage.records import Iteration, Project, Source
from app.studio.errors import StudioError
from app.studio.observable import Observable
from app.studio.projects import create, remember
from app.studio.store import Store, new_iteration_id

HOLDING = tuple(state for state in RunState if state.holds_song)


class Workspace:
    """The working song of one project, through which every edit goes. `changed` emits the differences of every
    change."""

    def __init__(self, store: Store, project: Project, song: Song, revision: ContentHash) -> None:
        self._store = store
        self.project = project.id
        self.name = project.name
        self.head = project.head
        self._created = project.created
        self.song = song
        self.revision = revision
        self.changed: Observable[Changes] = Observable()
        self.saved: Observable[IterationId] = Observable()

    @classmethod
    async def open(cls, store: Store, project: Project) -> Workspace:
        """Load the working song of a stored project; a draft has an empty one. Raises `StudioError` if the project has
        no song."""
        if project.working is None and project.created:
            raise StudioError(
                msg("project {project!r} has no song", project=project.name), fix=msg("restore one of its iterations"),
            )
        if project.working is None:
            empty = Song(name=project.name)
            return cls(store, project, empty, song_revision(empty))
        return cls(store, project, await store.song(project.working), project.working)

    @property
    def draft(self) -> bool:
        """Whether the project is not stored yet; its first version stores it."""
        return self.head is None

    @property
    def record(self) -> Project:
        """The project's record; that of a draft has no creation time."""
        if self.draft:
            return Project(self.project, self.name, created="")
        return Project(self.project, self.name, self._created, self.head, self.revision)

    async def keep(self, name: str) -> None:
        """Store a draft under a name that no other project has; does nothing for a stored project."""
        if not self.draft:
            return
        project = Project(self.project, name, created="")
        stored = await self._store.write(lambda transaction: create(transaction, self._store, project))
        assert stored.working is not None
        self.name, self._created = stored.name, stored.created
        self.show(await self._store.song(stored.working), stored.working, stored.head)

    async def reload(self) -> None:
        """Load what another process has committed, if anything."""
        found = await self._store.read(lambda transaction: projects.find(transaction, self.project))
        if found is None or found.working is None:
            return
        if (found.working, found.head) != (self.revision, self.head):
            self.show(await self._store.song(found.working), found.working, found.head)

    async def commit(self, edits: Sequence[Edit], *, label: str, author: str = "person") -> Iteration:
        """Apply edits made by hand as one new iteration, which is returned; `label` is its title in the history,
        `author` who made it. Raises `SongError`, and `RunError` while a run holds the song."""
        return await self.replace(apply_all(self.song, edits), "edit", label, author=author, actions=len(edits))

    async def replace(
        self, song: Song, source: Source, label: str, *, message: str = "", author: str = "person", actions: int = 0,
        parent: IterationId | None = None,
    ) -> Iteration:
        """Store a whole song as a new iteration after the head, or after `parent` as a branch; returns it. `label` is
        its title in the history, `message` what was asked for, `actions` the number of changes. Raises as `commit`."""
        check(song)

        await self.keep(self.name)

        def work(transaction: Transaction) -> tuple[Iteration, ContentHash]:
            refuse_while_running(transaction, self.project)
            root = self._store.objects.put(transaction, song)
            made = iterations.append(transaction, Iteration(
                new_iteration_id(), self.project, root, source, author,
                parent=parent or self.head, message=message, label=label, actions=actions,
            ))
            lease = self._store.take(transaction, self.project)
            projects.move(transaction, lease, self.revision, root, made.id)
            leases.release(transaction, lease)
            remember(transaction, self.project)
            return made, root

        iteration, root = await self._store.write(work)
        self.show(song, root, iteration.id)
        return iteration

    async def go_to(self, iteration: Iteration) -> None:
        """Make an existing version the head, without a new iteration. Raises `RunError` while a run holds the song."""
        def work(transaction: Transaction) -> None:
            refuse_while_running(transaction, self.project)
            lease = self._store.take(transaction, self.project)
            projects.move(transaction, lease, self.revision, iteration.root, iteration.id)
            leases.release(transaction, lease)
            remember(transaction, self.project)

        song = await self._store.song(iteration.root)
        await self._store.write(work)
        self.show(song, iteration.root, iteration.id)

    def show(self, song: Song, revision: ContentHash, head: IterationId | None = None) -> None:
        """Take over a song that has just been stored, and emit the differences to the listeners."""
        before, self.song, self.revision = self.song, song, revision
        newer = head is not None and head != self.head
        self.head = head or self.head
        if self.changed.heard and song != before:
            self.changed.emit(compare(before, song))
        if newer and head is not None:
            self.saved.emit(head)


def refuse_while_running(transaction: Transaction, project: ProjectId) -> None:
    """Raise `RunError` while a run holds the project's song; a damaged run holds none."""
    for run in runs.in_states(transaction, HOLDING, project):
        if not runs.is_whole(transaction, run):
            continue
        raise RunError(
            msg("run {run} holds the song of this project", run=run.id),
            why=msg("it is {state}", state=run.state),
            fix=FixKind.SETTLE_RUN(run.id),
        )
