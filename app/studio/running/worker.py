"""The worker: plans requests and carries out approved runs, each when its turn has come."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.message import msg
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved
from agent.song.ids import ProjectId, RunId
from app.storage.errors import Busy, Gone, StorageError
from app.storage.records import stamp
from app.studio.observable import Observable
from app.studio.running.queue import Deed, Job
from app.studio.running.requests import Requests
from app.studio.running.run_start import SongClaim
from app.studio.running.run_view import RunView
from app.studio.running.runs import Runs
from app.studio.store import Store

_DEATH_LOOK = 2.0
"""Seconds between checks whether a program that carries out a run has crashed, as that stores nothing."""
_GRACE = 2.0


class Done(Struct, frozen=True):
    """The result of a job: the run's state, or the `reason` why the worker gave up; `deed` is what was to be done, as
    in `Deed`."""

    run: RunId
    deed: str
    state: str
    reason: str = ""


class Doing(Struct, frozen=True):
    """What a worker is doing; `pid` is its process, `since` when it began. `runs`, `steps` and `planned` count what it
    has finished; `given_up` are runs that it leaves alone, with the reason. `project` is the only one that it works
    for; None means all."""

    pid: int
    since: str
    doing: tuple[str, ...] = ()
    runs: int = 0
    steps: int = 0
    planned: int = 0
    given_up: Mapping[RunId, str] = {}
    last: Done | None = None
    project: ProjectId | None = None


class QueueWorker:
    """Plans queued requests and carries out approved runs, one job of each project at a time. At most one in a process.

    It is woken by what this process stores, and within a second by commits of others. `told` emits its `Doing` whenever
    that changes, `faults` unexpected exceptions. A run that cannot be planned or carried out is left alone until a
    worker starts anew, so that nothing is retried endlessly."""

    def __init__(
        self, store: Store, runs: Runs, requests: Requests, project: ProjectId | None = None,
        takes: Callable[[Job], bool] = lambda _: True,
    ) -> None:
        """`takes` says which jobs this worker does; `project` is told of where those are of that one alone."""
        self._store = store
        self._runs = runs
        self._requests = requests
        self._takes = takes
        self._loop: asyncio.Task[None] | None = None
        self._under_way: dict[ProjectId, asyncio.Task[None]] = {}
        self._deeds: dict[RunId, str] = {}
        self._cancellation = Cancellation()
        self._stopping = False
        self._telling = asyncio.Lock()
        self.doing = Doing(os.getpid(), stamp(), project=project)
        self.told: Observable[Doing] = Observable()
        self.faults: Observable[Exception] = Observable()

    def start(self) -> None:
        """Start working until `stop`: runs left by a crash are resumed, queued ones done in their turn."""
        self._loop = asyncio.create_task(self._work(once=False))

    async def once(self) -> Doing:
        """Do everything that can be done now, and what becomes possible by it; returns what was done."""
        self._loop = asyncio.create_task(self._work(once=True))
        await self.ended()
        return self.doing

    async def ended(self) -> None:
        """Wait until it has stopped. Raises the error that ended it; after `start` only a database that is `Gone`
        does."""
        if self._loop is not None:
            await asyncio.wait([self._loop])
            if not self._loop.cancelled():
                self._loop.result()

    async def stop(self, patience: float = _GRACE) -> None:
        """Begin nothing more and end. A run under way is left RUNNING after its row, free for any process to resume;
        after `patience` seconds the row is cancelled, as by a crash. A request under way is queued again."""
        self._stopping = True
        self._cancellation.cancel()
        for run in tuple(self._deeds):
            self._runs.host.leave(run)
        if self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=patience)
        ours = [*self._under_way.values(), *([] if self._loop is None else [self._loop])]
        for task in ours:
            task.cancel()
        await asyncio.gather(*ours, return_exceptions=True)
        await asyncio.to_thread(self._store.presence.hush)

    async def _work(self, *, once: bool) -> None:
        await self._tell()
        async with self._runs.watch() as watch:
            while not self._stopping:
                try:
                    await self._begin_what_can_be_done(watch.woken.set)
                    if once and not self._under_way:
                        return
                    # Somebody else's death stores nothing: it is looked for from time to time.
                    await watch.wait(self._cancellation, at_most=_DEATH_LOOK)
                except Gone:
                    raise
                except StorageError as problem:
                    if once:
                        raise
                    self.faults.emit(problem)
                    await self._cancellation.pause(_DEATH_LOOK)

    async def _begin_what_can_be_done(self, wake: Callable[[], None]) -> None:
        for job in await self._requests.jobs():
            busy = job.project in self._under_way or job.run in self.doing.given_up
            if self._stopping or busy or not self._takes(job):
                continue
            task = asyncio.create_task(self._do(job))
            self._under_way[job.project] = task

            def ended(_: asyncio.Task[None], project: ProjectId = job.project) -> None:
                self._under_way.pop(project, None)
                wake()

            task.add_done_callback(ended)

    async def _do(self, job: Job) -> None:
        """One job to its end; whatever happens, the worker goes on."""
        self._deeds[job.run] = f"{job.deed.value} {job.run}"
        await self._tell()
        before = await self._runs.show(job.run)
        done = Done(job.run, job.deed.value, before.state)
        try:
            await self._refuse_unknown_tools(before)
            ours = await self._done(job)
            after = await self._runs.show(job.run)
            done = replace(done, state=after.state, reason=after.reason)
            if ours:
                self._count(job, before, after)
        except Busy as problem:
            # Another program was faster; where it comes to nothing there, the next look shows it.
            done = replace(done, state=(await self._runs.show(job.run)).state, reason=str(problem))
            await self._cancellation.pause(_DEATH_LOOK)
        except NotApproved as problem:
            after = await self._runs.show(job.run)
            done = replace(done, state=after.state, reason=str(problem))
            if after.state is not RunState.PROPOSED:
                self._give_up(job.run, str(problem))
        except BandleaderError as problem:
            self._give_up(job.run, str(problem))
            done = replace(done, reason=str(problem))
        except Exception as fault:
            self._give_up(job.run, f"a fault of the program: {type(fault).__name__}")
            self.faults.emit(fault)
        finally:
            del self._deeds[job.run]
        await self._tell(done)

    async def _done(self, job: Job) -> bool:
        """Whether it was done here; another program may have been faster."""
        if job.deed is Deed.PLAN:
            return await self._requests.plan(job.run, self._cancellation) is not None
        if job.deed is Deed.CARRY_OUT:
            turn = await self._runs.queue.take_turn(job.run)
            if turn is SongClaim.NOT_YET:
                raise Busy(
                    msg("the song of project {project} is held", project=job.project),
                    why=msg("another run or program has it"),
                )
            if turn is not SongClaim.OURS:
                return False
        await self._runs.host.carry_out(job.run, Cancellation())
        return True

    async def _refuse_unknown_tools(self, view: RunView) -> None:
        """Rows of such a run would fail here, and what they need may be connected again."""
        if unknown := await self._runs.unknown_tools(view.plan):
            raise RunError(
                msg("this worker does not know {unknown}", unknown=", ".join(unknown)),
                why=msg("no service that is connected now offers it"),
                fix=msg("connect it and start the worker anew, or cancel run {record}", record=view.record.id),
            )

    def _count(self, job: Job, before: RunView, after: RunView) -> None:
        now = self.doing
        planned = job.deed is Deed.PLAN and after.state is RunState.PROPOSED
        self.doing = replace(
            now, planned=now.planned + planned, runs=now.runs + (job.deed is not Deed.PLAN and after.state.ended),
            steps=now.steps + max(0, after.ledger.done - before.ledger.done),
        )

    def _give_up(self, run: RunId, why: str) -> None:
        self.doing = replace(self.doing, given_up={**self.doing.given_up, run: why})

    async def _tell(self, done: Done | None = None) -> None:
        self.doing = replace(self.doing, doing=tuple(self._deeds.values()), last=done or self.doing.last)
        self.told.emit(self.doing)
        try:
            # One after the other, so that what is told last is what lies there.
            async with self._telling:
                await asyncio.to_thread(self._store.presence.tell, msgspec.json.encode(self.doing))
        except StorageError as problem:
            self.faults.emit(problem)


class Alive(Struct, frozen=True):
    """A running program that works on the queue."""

    name: str
    doing: Doing

    def serves(self, project: ProjectId) -> bool:
        """Whether it works on the queue of that project."""
        return self.doing.project in (None, project)


def workers(told: Mapping[str, bytes]) -> tuple[Alive, ...]:
    """The workers among the running programs; `told` are the texts that programs publish, by their names. Unreadable
    texts are skipped."""
    found = []
    for name, words in told.items():
        try:
            found.append(Alive(name, msgspec.json.decode(words, type=Doing)))
        except msgspec.MsgspecError:
            continue
    return tuple(found)
