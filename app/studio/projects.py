"""Projects: made, listed and found by name or id."""

from __future__ import annotations

from agent.fixes import FixKind
from agent.message import msg
from agent.song.ids import ProjectId
from agent.song.song import Song
from app.storage import iterations, leases, preferences, projects
from app.storage.database import Transaction
from app.storage.records import Iteration, Project
from app.studio.errors import StudioError
from app.studio.export_folders import export_folder_in
from app.studio.store import Store, new_iteration_id, new_project_id

_LAST = "project.last"
MAX_NAME = 100


class Projects:
    """All projects in this database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self) -> tuple[Project, ...]:
        """Every project, oldest first."""
        return await self._store.read(projects.all_of)

    async def draft(self, name: str) -> Project:
        """A project that is not stored yet, so that a plan can refer to it before anything is approved. Its name gets a
        number if it is taken."""
        wanted = " ".join(_text(name).split())[:MAX_NAME] or "Untitled"
        taken = {project.name.casefold() for project in await self.all()}
        free, number = wanted, 2
        while free.casefold() in taken:
            free, number = f"{wanted} {number}", number + 1
        return Project(new_project_id(), free, created="")

    async def create(self, name: str) -> Project:
        """Store a new project with an empty song. Raises `StudioError` if the name is empty, too long or taken."""
        draft, wanted = await self.draft(name), " ".join(name.split())
        fix = FixKind.NAME_PROJECT()
        if not wanted:
            raise StudioError(msg("a project needs a name"), why=msg("the name is empty"), fix=fix)
        if len(wanted) > MAX_NAME:
            why = msg("it has {count:,} characters, at most {max_name} are kept", count=len(wanted), max_name=MAX_NAME)
            raise StudioError(msg("the name {wanted!r}… is too long", wanted=wanted[:40]), why=why, fix=fix)
        if _text(name) != name:
            raise StudioError(
                msg("the name {name!r} is no text", name=name), why=msg("it holds bytes that are not UTF-8"), fix=fix,
            )
        if draft.name != wanted:
            raise StudioError(
                msg("there is a project called {name!r:.120} already", name=name),
                fix=msg("{draft!r} is free", draft=draft.name),
            )
        return await self.store(draft)

    async def store(self, draft: Project) -> Project:
        """Store a draft as a project with an empty song; one that is stored already is returned unchanged."""
        if draft.created:
            return draft
        return await self._store.write(lambda transaction: create(transaction, self._store, draft))

    async def find_or_draft(self, name_or_id: str | None, name: str) -> Project:
        """As `find`; if nothing was named and there is no project at all, a draft called `name`."""
        if name_or_id is None and not await self.all():
            return await self.draft(name)
        return await self.find(name_or_id)

    async def export_folder(self, project: Project) -> str:
        """The name of a project's export folder, which no other project has."""
        return await self._store.read(lambda transaction: export_folder_in(transaction, project))

    def export_folder_now(self, project: str) -> str:
        """The name of a project's export folder by the project's id (which is used as name if it is not stored); blocks
        until the database has answered."""
        nameless = Project(ProjectId(project), project, created="")
        return self._store.database.read_now(lambda transaction: export_folder_in(transaction, nameless))

    async def last(self) -> Project | None:
        """The project used last; None if it does not exist any more."""
        last = await self._store.read(lambda transaction: preferences.find(transaction, _LAST))
        return next((project for project in await self.all() if project.id == last), None)

    async def find(self, name_or_id: str | None) -> Project:
        """The project of that id or unique name; None means the one used last. Raises `StudioError` if there is
        none."""
        known = await self.all()
        if name_or_id is None:
            if (last := await self.last()) is not None:
                return last
            raise StudioError(
                msg("there is no project yet") if not known else msg("no project was used yet"),
                fix=FixKind.BEGIN_PROJECT(),
            )
        wanted = name_or_id.strip().casefold()
        found = [one for one in known if one.id == name_or_id] or [
            one for one in known if one.name.casefold() == wanted
        ]
        if len(found) == 1:
            return found[0]
        listed = ", ".join(f"{one.name} = {one.id}" for one in (found or known)[-12:]) or "none"
        if found:
            why = msg("the name fits {count} projects", count=len(found))
            raise StudioError(
                msg("{name_or_id!r} is no single project", name_or_id=name_or_id[:80]), why=why,
                fix=msg("use an id: {listed}", listed=listed),
            )
        raise StudioError(
            msg("there is no project {name_or_id!r}", name_or_id=name_or_id[:80]),
            why=msg("known projects: {listed}", listed=listed), fix=FixKind.LIST_PROJECTS(),
        )

    async def use(self, project: ProjectId) -> None:
        """Store the project as the one used last."""
        await self._store.write(lambda transaction: remember(transaction, project))


def _text(words: str) -> str:
    """The words, with a sign in place of bytes that are no text (an argument of a command may hold them)."""
    return words.encode("utf-8", "replace").decode()


def remember(transaction: Transaction, project: ProjectId) -> None:
    """Store the project as the one used last, in the caller's transaction."""
    preferences.put(transaction, _LAST, project)


def create(transaction: Transaction, store: Store, draft: Project) -> Project:
    """Store a project with its first, empty iteration, in the caller's transaction."""
    projects.create(transaction, draft.id, draft.name)
    root = store.objects.put(transaction, Song(name=draft.name))
    first = Iteration(new_iteration_id(), draft.id, root, "edit", "person", label="New project")
    iterations.append(transaction, first)
    lease = store.take(transaction, draft.id)
    projects.move(transaction, lease, None, root, first.id)
    leases.release(transaction, lease)
    remember(transaction, draft.id)
    made = projects.find(transaction, draft.id)
    assert made is not None
    return made
