"""Carrying a run out in this program: from its lease to its end, or to where it rests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic

from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from agent.session.cancellation import Cancellation
from agent.session.events import Event
from agent.session.run_state import RunState
from agent.session.session import NotApproved, Session
from agent.session.worker import Worker
from agent.song.ids import ProjectId, RunId
from agent.song.song import Song
from app.storage import leases, projects
from app.storage.database import Transaction
from app.storage.errors import Busy
from app.storage.records import Lease
from app.studio.observable import Observable
from app.studio.planners import Planners
from app.studio.running.pausing import rest
from app.studio.running.proposing import PROPOSABLE, propose_again
from app.studio.running.run_end import finish
from app.studio.running.run_journal import RunJournal
from app.studio.running.run_options import run_options_of
from app.studio.running.run_start import begin
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store
from app.studio.workspace import Workspace


class _UnderWay(Struct):
    run: RunId
    cancellation: Cancellation
    leaving: bool = False


class RunHost:
    """Carries out runs in this program, at most one of each project at a time. `events` emits their events, `changed`
    the id of a run whose state was stored.

    `planners` provide the model for rows with only a goal; with None the session's own planner works on them. `heard`
    returns remarks on how a song sounds on this machine; it may read the disk."""

    def __init__(
        self, store: Store, session: Session, planners: Planners | None, heard: Callable[[Song], Sequence[str]]
    ) -> None:
        self._store = store
        self._session = session
        self._planners = planners
        self._heard = heard
        self._under_way: dict[ProjectId, _UnderWay] = {}
        self._attached: dict[ProjectId, Workspace] = {}
        self.events: Observable[Event] = Observable()
        self.changed: Observable[RunId] = Observable()

    def attach(self, workspace: Workspace) -> Callable[[], None]:
        """Use this open workspace for runs of its project, so that its listeners see every step; the returned function
        ends that."""
        self._attached[workspace.project] = workspace

        def detach() -> None:
            if self._attached.get(workspace.project) is workspace:
                del self._attached[workspace.project]

        return detach

    async def workspace(self, project_id: ProjectId) -> Workspace:
        """The attached workspace of a project, reloaded, else a new one."""
        attached = self._attached.get(project_id)
        if attached is not None:
            await attached.reload()
            return attached
        project = await self._store.read(lambda transaction: projects.find(transaction, project_id))
        assert project is not None
        return await Workspace.open(self._store, project)

    def carries(self, run: RunId) -> bool:
        """Whether this program carries the run out now."""
        return any(one.run == run for one in self._under_way.values())

    def hold(self, run: RunId) -> bool:
        """Ask a run to pause after the rows under way; returns whether this program carries it out."""
        return self._ask(run, lambda one: one.cancellation.hold())

    def stop(self, run: RunId) -> bool:
        """Ask a run to stop; returns whether this program carries it out."""
        return self._ask(run, lambda one: one.cancellation.cancel())

    def leave(self, run: RunId) -> bool:
        """Ask a run to be abandoned after the rows under way, as if this program had ended: its state stays RUNNING,
        and any program may resume it. Returns whether this program carries it out."""

        def ask(one: _UnderWay) -> None:
            one.leaving = True
            one.cancellation.hold()

        return self._ask(run, ask)

    def _ask(self, run: RunId, ask: Callable[[_UnderWay], None]) -> bool:
        asked = [one for one in self._under_way.values() if one.run == run]
        for one in asked:
            ask(one)
        return bool(asked)

    async def carry_out(self, run: RunId, cancellation: Cancellation, worker: Worker | None = None) -> RunView:
        """Carry out an approved run, or resume one that is paused or was left by a crash; returns it when it has ended
        or is paused.

        `worker` works on rows with only a goal; with None the chosen model does, or the composer. Raises `Busy` while
        another process holds the project or has taken it over, `RunError` for a run that has ended, `NotApproved` if
        the song has changed. `cancellation` ends it within a second."""
        view = await self._show(run)
        project = view.record.project
        if project in self._under_way:
            raise Busy(
                msg("project {project} is being changed", project=project),
                why=msg("this program carries out another run of it"),
            )
        one = self._under_way[project] = _UnderWay(run, cancellation)
        try:
            await self._with_worker(view, one, worker)
        finally:
            del self._under_way[project]
            self.changed.emit(run)
        return await self._show(run)

    async def _with_worker(self, view: RunView, one: _UnderWay, worker: Worker | None) -> None:
        if worker is not None or self._planners is None:
            await self._work_through(view, one, worker)
            return
        options = await self._store.read(lambda transaction: run_options_of(transaction, one.run))
        choice = await self._planners.choice(options.chosen)
        async with self._planners.worker(view.plan, choice, one.run) as chosen:
            await self._work_through(view, one, chosen)

    async def _work_through(self, view: RunView, one: _UnderWay, worker: Worker | None) -> None:
        workspace = await self.workspace(view.record.project)
        async with RunJournal(self._store, workspace, one.run, self.events, one.cancellation) as journal:
            begun = await self._store.write(lambda transaction: begin(transaction, one.run))
            if begun is None:
                await self._refuse_other_song(view)
                return
            try:
                await self._to_its_end(begun, one, journal, workspace, worker)
            except Busy as lost:
                if not await self._store.read(partial(_taken_over, lease=journal.lease)):
                    raise
                raise Busy(
                    msg("another program has taken over run {run}", run=one.run),
                    why=msg("this one was silent for too long: {why}", why=lost.said.why),
                    fix=FixKind.FOLLOW_RUN(one.run, msg("nothing was done twice")),
                ) from lost

    async def _to_its_end(
        self, view: RunView, one: _UnderWay, journal: RunJournal, workspace: Workspace, worker: Worker | None
    ) -> None:
        began, run = monotonic(), one.run
        # Another program may have gone on with the run until this one had the lease.
        await workspace.reload()
        before = await self._store.song(view.record.base_revision)
        ended = await self._session.run(run, view.plan, before, journal, journal, one.cancellation, view.past, worker)
        if ended.state is RunState.WAITING_USER:
            if not one.leaving:
                await self._store.write(lambda transaction: rest(transaction, run, journal.lease))
            return
        remarks = await asyncio.to_thread(self._heard, workspace.song)
        saved = await self._store.write(lambda transaction: finish(
            transaction, self._store, self._session, run, ended, journal.lease, monotonic() - began, remarks
        ))  # fmt: skip
        workspace.show(workspace.song, workspace.revision, saved)

    async def _refuse_other_song(self, view: RunView) -> None:
        run = view.record.id
        if view.state in PROPOSABLE and await propose_again(self._store, self._session, run, view.plan):
            raise NotApproved(
                msg("the song has changed since run {run} was approved", run=run),
                why=msg("another edit or run came after it"), fix=FixKind.APPROVE_RUN_AGAIN(run),
            )
        raise NotApproved(
            msg("the song has changed since run {run} left it", run=run), why=msg("another edit or run came after it"),
            fix=FixKind.PLAN_AGAIN(run),
        )

    async def _show(self, run: RunId) -> RunView:
        return await self._store.read(lambda transaction: load_run(transaction, run))


def _taken_over(transaction: Transaction, lease: Lease) -> bool:
    try:
        leases.verify(transaction, lease)
    except Busy:
        return True
    return False
