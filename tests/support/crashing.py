"""A studio without a window over a real database, which can die at any of its own moments and be opened again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from studio_parts import FastCancellation, the_palette
from worlds import World, WorldService

from agent.plan.plan import Step
from agent.review.review import Review
from agent.services.registry import Registry
from agent.services.service import Call, Outcome
from agent.services.song_service import SongService
from agent.session.session import Session
from agent.song.ids import RunId
from agent.song.song import Song
from app.storage.database import Database
from app.storage.errors import StorageError
from app.storage.objects import SongObjects
from app.storage.presence import ProgramPresence
from app.storage.records import Project
from app.studio.history import History
from app.studio.projects import Projects
from app.studio.running.run_view import RunView
from app.studio.running.runs import Runs
from app.studio.store import Store
from app.studio.workspace import Workspace

T = TypeVar("T")


class Died(StorageError):
    """The program is dead: nothing is stored any more."""


class Moments:
    """Counts the moments of a program at which something may come between: before and after every transaction that
    writes, and within every call of the world. At the moment `at` it does `act`."""

    def __init__(self) -> None:
        self._left = 0
        self._act: Callable[[], None] | None = None

    def plan(self, at: int, act: Callable[[], None]) -> None:
        """Do that at that moment from now on."""
        self._left, self._act = at, act

    def clear(self) -> None:
        """Do nothing any more."""
        self._act = None

    def tick(self) -> None:
        """A moment has come."""
        self._left -= 1
        if self._left == 0 and self._act is not None:
            self._act()


class DyingDatabase(Database):
    """A database that a dead program cannot write any more."""

    moments: Moments
    dead = False

    def _transact(self, work: Callable[[Any], T], begin: str) -> T:
        if begin == "BEGIN":
            return super()._transact(work, begin)
        self._moment()
        result = super()._transact(work, begin)
        self._moment()
        return result

    def _moment(self) -> None:
        self.moments.tick()
        if self.dead:
            raise Died("the program has ended")


class MortalWorldService(WorldService):
    """A service whose calls end with the program."""

    def __init__(self, world: World, moments: Moments, database: DyingDatabase) -> None:
        super().__init__(world)
        self._moments = moments
        self._database = database

    async def call(self, call: Call) -> Outcome:
        self._moment()
        outcome = await super().call(call)
        self._moment()
        return outcome

    async def probe(self, call: Call) -> Outcome | None:
        self._moment()
        return await super().probe(call)

    def _moment(self) -> None:
        self._moments.tick()
        if self._database.dead:
            raise Died("the program has ended")


class Program:
    """One life of the program: from its start to its death."""

    def __init__(self, home: Path, world: World) -> None:
        self.moments = Moments()
        DyingDatabase.dead, DyingDatabase.moments = False, self.moments
        database = DyingDatabase.open(home / "b.db", home / "backups", synchronous="NORMAL")
        assert isinstance(database, DyingDatabase)
        self._database = database
        self._presence = ProgramPresence.begin(home / "running")
        self.store = Store(database, SongObjects(), self._presence)
        service = MortalWorldService(world, self.moments, database)
        self.registry = Registry((SongService(the_palette()), service))
        self.session = Session(None, self.registry, the_palette())  # type: ignore[arg-type]
        self.projects = Projects(self.store)
        self.history = History(self.store)
        self.runs = Runs(self.store, self.session, self.history, None, self.registry)

    def die(self) -> None:
        """Store nothing any more, from this moment on."""
        self._database.dead = True

    def end(self) -> None:
        """Leave the database to the next life."""
        self.moments.clear()
        self._presence.end()
        self._database.close()

    async def project(self, name: str = "One") -> Project:
        """The project as it is stored."""
        return await self.projects.find(name)

    async def workspace(self) -> Workspace:
        """The project, open."""
        return await Workspace.open(self.store, await self.project())

    async def song(self) -> Song:
        """The working song."""
        return (await self.workspace()).song

    async def started(self, judged: Review) -> RunId:
        """The judged plan, approved and stored as a run."""
        project = await self.project()
        approval = self.session.approve(judged, judged.plan.hash, str(project.working))
        return await self.runs.start(judged.plan, approval, project)

    async def interrupted(
        self, work: Callable[[FastCancellation], Awaitable[RunView]], how: str, at: int, run: RunId
    ) -> None:
        """Do the work, with a cancel, a pause or a death at a moment of it."""
        loop, cancellation = asyncio.get_running_loop(), FastCancellation()
        asked: list[asyncio.Task[object]] = []

        def pause() -> None:
            asked.append(loop.create_task(self._paused(run)))

        task = asyncio.ensure_future(work(cancellation))
        acts: dict[str, Callable[[], object]] = {
            "cancel": cancellation.cancel, "pause": pause, "hold": cancellation.hold,
        }
        if how == "crash":
            self.moments.plan(at, lambda: (self.die(), loop.call_soon_threadsafe(task.cancel))[0])
        elif how in acts:
            self.moments.plan(at, lambda: (loop.call_soon_threadsafe(acts[how]), None)[1])
        try:
            if how == "crash":
                with suppress(asyncio.CancelledError, Died):
                    await task
            else:
                await task
        finally:
            self.moments.clear()
            await asyncio.gather(*asked)

    async def _paused(self, run: RunId) -> object:
        from agent.session.run_state import RunError

        with suppress(RunError):
            return await self.runs.stopping.pause(run)
        return None


def items_row(name: str, tool: str, modes: list[str]) -> tuple[Step, Step]:
    """A list of items, and an act on the world for each."""
    items = [{"what": f"{name}{number}", "mode": mode} for number, mode in enumerate(modes)]
    return (
        Step(f"{name}l", "ask", {"items": items}),
        Step(
            name, tool, {"what": "{{item.what}}", "mode": "{{item.mode}}"}, for_each="{{" + f"{name}l.items" + "}}",
            timeout=0.02,
        ),
    )
