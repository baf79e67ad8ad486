"""Runs of Bandleader's executor: on a real database through the real desk, and on ports that keep nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from agent.plan.decision import Approval
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.services.registry import Registry
from agent.session.cancellation import Cancellation
from agent.session.events import Event
from agent.session.executor import Executor
from agent.session.ports import Report
from agent.song.apply import apply_all
from agent.song.edits import Edit
from agent.song.song import Song
from app.storage.database import Database
from app.storage.driver import Synchronous
from app.storage.objects import SongObjects
from app.storage.presence import ProgramPresence
from app.studio.history import History
from app.studio.observable import Observable
from app.studio.projects import Projects
from app.studio.running.run_journal import RunJournal
from app.studio.running.runs import Runs
from app.studio.store import Store
from app.studio.workspace import Workspace
from tests.benchmarks.stepping.plans import the_song


class Memory:
    """Ports that keep nothing: what is left is the executor itself and the edit."""

    def __init__(self, song: Song) -> None:
        self.song = song

    async def note(self, report: Report) -> None:
        """Nothing."""

    async def settled(self) -> None:
        """Nothing is on its way."""

    def tell(self, event: Event) -> None:
        """Nothing."""

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        """The edit."""
        self.song = apply_all(self.song, edits)


class EachWaits(Database):
    """A database whose every commit waits for the disk by itself, as LangGraph's do."""

    def _wait_for_the_disk(self, wanted: bool) -> None:
        super()._wait_for_the_disk(True)


class Stored:
    """Runs on a database of their own."""

    def __init__(
        self, folder: Path, synchronous: Synchronous, registry: Registry, kind: type[Database] = Database
    ) -> None:
        home = folder / f"{kind.__name__}-{synchronous}"
        self.database = kind.open(home / "b.db", home / "backups", synchronous=synchronous)
        self._store = Store(self.database, SongObjects(), ProgramPresence.begin(home / "running"))
        self._runs = Runs(self._store, None, History(self._store))  # type: ignore[arg-type]
        self._registry = registry
        self._number = 0

    async def run(self, steps: tuple[Step, ...]) -> float:
        """Seconds for one run of all steps until the last is stored, without what comes before and after them."""
        self._number += 1
        project = await Projects(self._store).create(f"bench {self._number}")
        workspace = await Workspace.open(self._store, project)
        await workspace.replace(the_song("bench"), "import", "start")
        plan = Plan(steps, project.id, workspace.revision, hash="0" * 64)
        approval = Approval(plan.hash, workspace.revision, "person", "")
        project = replace(project, working=workspace.revision, head=workspace.head)
        run = await self._runs.start(plan, approval, project)
        cancellation = Cancellation()
        async with RunJournal(self._store, workspace, run, Observable(), cancellation) as desk:
            executor = Executor(run, plan, plan.hash, self._registry, desk, desk, cancellation, {})
            began = time.perf_counter()
            reports = await executor.execute()
            seconds = time.perf_counter() - began
        assert all(report.state == "done" for report in reports)
        return seconds


async def in_memory(steps: tuple[Step, ...], registry: Registry) -> float:
    """Seconds for a run that stores nothing, with the making of its executor."""
    memory = Memory(the_song("bench"))
    began = time.perf_counter()
    executor = Executor("r", Plan(steps), "0" * 64, registry, memory, memory, Cancellation(), {})
    reports = await executor.execute()
    seconds = time.perf_counter() - began
    assert all(report.state == "done" for report in reports)
    return seconds
