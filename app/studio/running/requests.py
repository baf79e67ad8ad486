"""Requests that wait: taken into the queue, planned when their turn has come, and then proposed."""

from __future__ import annotations

import asyncio
from functools import partial

from agent.errors import BandleaderError
from agent.plan.planning import ClarifyingQuestion
from agent.plan.request import parse_request
from agent.review.review import Review
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from agent.session.session import Session
from agent.song.ids import ProjectId, RunId
from app.storage import projects
from app.storage.errors import StorageError
from app.storage.records import Project, Run
from app.studio.planning import Planning, check_seed
from app.studio.projects import remember
from app.studio.running.proposing import propose_again, store_proposal
from app.studio.running.queue import (
    Job,
    QueueEntry,
    claim_request,
    entries,
    jobs,
    left,
    let_go,
    store_failure,
    store_request,
)  # fmt: skip
from app.studio.running.run_options import RunOptions
from app.studio.running.run_view import RunView
from app.studio.running.runs import Runs
from app.studio.store import Store, new_run_id

_PLANNED = "the request was planned"
_MOVED_ON = "the song has changed while the request was planned"


class Requests:
    """The queue of all projects, and the planning of queued requests."""

    def __init__(self, store: Store, session: Session, planning: Planning, runs: Runs) -> None:
        self._store = store
        self._session = session
        self._planning = planning
        self._runs = runs

    async def ask(self, request: str, project: Project, options: RunOptions, said: str = "") -> RunId:
        """Queue a request, to be planned when the runs before it have ended; returns its run. The chat gets the text
        `said`, or if empty the request. Raises `PlanError` for words that cannot be planned, `StudioError` for a
        project that is not stored."""
        words = parse_request(request)
        check_seed(options.seed)
        run = new_run_id()
        await self._store.write(lambda transaction: store_request(
            transaction, self._store, run, words, options, project, said
        ))  # fmt: skip
        await self._store.write(lambda transaction: remember(transaction, project.id))
        self._runs.changed.emit(run)
        return run

    async def entries(self, project: ProjectId | None = None) -> tuple[QueueEntry, ...]:
        """All queued runs, of one project or of all, in the order of their turn."""
        return await self._store.read(lambda transaction: entries(transaction, self._store, project))

    async def jobs(self) -> tuple[Job, ...]:
        """What can be done now, at most one job for each project."""
        return await self._store.read(lambda transaction: jobs(transaction, self._store, self._runs.host.carries))

    async def left(self) -> tuple[Run, ...]:
        """Runs that a crashed program has left RUNNING."""
        return await self._store.read(lambda transaction: left(transaction, self._store))

    async def plan(self, run: RunId, cancellation: Cancellation) -> RunView | None:
        """Plan a queued request on the current song, and return its run; None if another program plans it or it is not
        queued.

        State PROPOSED: it waits for approval. FAILED: it could not be planned or was unclear; the reason says why.
        DRAFT: `cancellation` came first. It stops within a second when the run is cancelled."""
        options = await self._store.write(lambda transaction: claim_request(transaction, self._store, run))
        if options is None:
            return None
        self._runs.changed.emit(run)
        try:
            await self._while_it_waits(run, options, cancellation)
        finally:
            await self._store.write(lambda transaction: let_go(transaction, self._store, run))
            self._runs.changed.emit(run)
        return await self._runs.show(run)

    async def _while_it_waits(self, run: RunId, options: RunOptions, cancellation: Cancellation) -> None:
        """Plan, as long as nobody cancels the run."""
        work = asyncio.create_task(self._planned_or_failed(run, options))
        try:
            async with self._runs.watch() as watch:
                work.add_done_callback(lambda _: watch.woken.set())
                while not work.done():
                    await watch.wait(cancellation)
                    waits = (await self._runs.show(run)).state is RunState.DRAFT
                    if cancellation.requested() or not (waits or work.done()):
                        return
                work.result()
        finally:
            work.cancel()
            await asyncio.wait([work])

    async def _planned_or_failed(self, run: RunId, options: RunOptions) -> None:
        try:
            judged = await self._proposed(run, options)
        except StorageError:
            raise
        except BandleaderError as problem:
            await self._fail(run, ": ".join(filter(None, (problem.what, problem.why))))
            return
        if isinstance(judged, ClarifyingQuestion):
            choices = "; ".join(f'"{choice.request}"' for choice in judged.choices)
            await self._fail(run, f"{judged.text} Ask again with one of: {choices}")
            return
        store = partial(store_proposal, run=run, plan=judged.plan, reason=_PLANNED)
        if not await self._store.write(store):
            await propose_again(self._store, self._session, run, judged.plan, _MOVED_ON)

    async def _proposed(self, run: RunId, options: RunOptions) -> Review | ClarifyingQuestion:
        record = (await self._runs.show(run)).record
        project = await self._store.read(lambda transaction: projects.find(transaction, record.project))
        assert project is not None
        stage = await self._planning.stage(project)
        return await self._planning.propose(
            record.request, stage, locks=options.locks, seed=options.seed, chosen=options.chosen,
            intensity=options.intensity, fence=options.fence,
        )

    async def _fail(self, run: RunId, reason: str) -> None:
        await self._store.write(lambda transaction: store_failure(transaction, self._store, run, reason))
