"""Runs: started, carried out, taken up again, cancelled, retried, skipped and rolled back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from agent.plan.decision import Approval
from agent.plan.document import Plan
from agent.plan.plan import Inputs
from agent.session.cancellation import Cancellation
from agent.session.events import Event, RunCancelled, RunRolledBack
from agent.session.run_state import RunError, RunState, moved
from agent.session.session import NotApproved, Session
from agent.session.worker import Worker
from agent.song.ids import ProjectId, RunId
from app.storage import messages, projects, runs
from app.storage.database import Transaction
from app.storage.errors import Busy
from app.storage.records import Message, Progress, Project, Run
from app.studio.beginning import begin, store_run, take_turn
from app.studio.desk import Desk, stored_event
from app.studio.ending import finish
from app.studio.history import History
from app.studio.observable import Observable
from app.studio.planners import Planners
from app.studio.projects import create, remember
from app.studio.reopening import approve_edits, ask_to_stop, open_rows, refuse_to_take_up, store_amended
from app.studio.run_view import RunView, load_run
from app.studio.store import Store, new_run_id
from app.studio.workspace import Workspace

_QUEUE_LOOK = 0.5
_CANCEL_LOOK = 0.3
_PATIENCE = 30.0


class Runs:
    """The runs of all projects. `events` streams what happens in the run that this process carries out.

    `planners` give who works on rows that are left to a model; without them the session's own planner does.
    """

    def __init__(
        self, store: Store, session: Session, history: History, planners: Planners | None = None
    ) -> None:
        self._store = store
        self._session = session
        self._history = history
        self._planners = planners
        self._carried: set[ProjectId] = set()
        self._attached: dict[ProjectId, Workspace] = {}
        self.events: Observable[Event] = Observable()

    def attach(self, workspace: Workspace) -> Callable[[], None]:
        """Let runs of a project go through this open workspace, so that its listeners see every step.

        The returned function takes it away again.
        """
        self._attached[workspace.project] = workspace

        def detach() -> None:
            if self._attached.get(workspace.project) is workspace:
                del self._attached[workspace.project]

        return detach

    async def all(self, project: Project) -> tuple[Run, ...]:
        """A project's runs, newest first."""
        return await self._store.read(lambda transaction: runs.all_of(transaction, project.id))

    async def show(self, run: RunId) -> RunView:
        """All that is known of a run."""
        return await self._store.read(lambda transaction: load_run(transaction, run))

    async def start(
        self, plan: Plan, approval: Approval, project: Project, *, queued: bool = False, said: bool = False
    ) -> RunId:
        """Store an approved plan as a run; a project that exists only as a draft is made with it.

        The request becomes a line of the chat, unless it was `said` there before.

        Raises `NotApproved` when the song is not the approved one any more, and `RunError` while another
        run holds the song; a `queued` one may wait for it, but only one at a time.
        """
        run_id = new_run_id()

        def work(transaction: Transaction) -> None:
            stored = projects.find(transaction, project.id) or create(transaction, self._store, project)
            store_run(transaction, run_id, plan, approval, stored, queued=queued)
            if plan.request and not said:
                messages.append(transaction, Message(project.id, "user", plan.request, run_id))
            remember(transaction, project.id)

        await self._store.write(work)
        return run_id

    async def wait_for_turn(self, run: RunId, cancellation: Cancellation) -> bool:
        """Wait until no other run holds the song, then hold it; False if the run was cancelled meanwhile.

        Raises `NotApproved` if the song has changed: the run is PROPOSED again.
        """
        while True:
            with suppress(Busy):
                state = await self._store.write(lambda transaction: take_turn(transaction, self._store, run))
                if state is RunState.PROPOSED:
                    raise NotApproved(
                        "the song has changed while this run waited",
                        why="another run or edit came first",
                        fix="plan the request again and approve the new plan",
                    )
                if state is not RunState.QUEUED:
                    return state is RunState.RUNNING
            if await cancellation.pause(_QUEUE_LOOK):
                await self._end_unstarted(run)
                return False

    async def carry_out(self, run: RunId, cancellation: Cancellation, worker: Worker | None = None) -> RunView:
        """Run an approved run, or take up one that a crash left, to its end.

        `worker` works on rows that are left to a model; without one the model that is chosen does, or the composer.
        Raises `Busy` while another process holds the project. Cancelled by `cancellation` within a second.
        """
        view = await self.show(run)
        project = view.record.project
        if project in self._carried:
            raise Busy(f"project {project} is being changed", why="this program carries out another run of it")
        self._carried.add(project)
        try:
            await self._carry_out(view, cancellation, worker)
        finally:
            self._carried.remove(project)
        return await self.show(run)

    async def _carry_out(self, view: RunView, cancellation: Cancellation, worker: Worker | None) -> None:
        if worker is not None or self._planners is None:
            await self._work_through(view, cancellation, worker)
            return
        choice = await self._planners.choice()
        async with self._planners.worker(view.plan, choice, view.record.id) as chosen:
            await self._work_through(view, cancellation, chosen)

    async def _work_through(self, view: RunView, cancellation: Cancellation, worker: Worker | None) -> None:
        began, run = monotonic(), view.record.id
        before = await self._store.song(view.record.base_revision)
        workspace = await self._workspace(view)
        async with Desk(self._store, workspace, run, self.events, cancellation) as desk:
            if not await self._store.write(lambda transaction: begin(transaction, run)):
                raise NotApproved(
                    f"the song has changed since run {run} left it",
                    why="another edit or run came after it",
                    fix="plan the request again",
                )
            ended = await self._session.run(
                run, view.plan, before, desk, desk, cancellation, view.past, worker
            )
            saved = await self._store.write(
                lambda transaction: finish(
                    transaction, self._session, run, ended, desk.lease, monotonic() - began
                )
            )
        workspace.show(workspace.song, workspace.revision, saved)

    async def cancel(self, run: RunId) -> RunView:
        """Ask a run that another process carries out to stop, or end one that nobody carries out.

        What was done stays, and becomes an iteration.
        """
        view = await self.show(run)
        if view.state.ended and view.state is not RunState.NEEDS_REVIEW:
            raise RunError(f"run {run} cannot be cancelled", why=f"it is {view.state}")
        if not view.state.holds_song and view.state is not RunState.NEEDS_REVIEW:
            return await self._end_unstarted(run)
        await self._store.write(lambda transaction: ask_to_stop(transaction, run))
        cancellation = Cancellation()
        cancellation.cancel()
        deadline = monotonic() + _PATIENCE
        while monotonic() < deadline:
            try:
                return await self.carry_out(run, cancellation)
            except NotApproved:
                return await self._end_unstarted(run)
            except (Busy, RunError) as problem:
                view = await self.show(run)
                if view.state.ended:
                    return view
                if isinstance(problem, RunError):
                    raise
            await asyncio.sleep(_CANCEL_LOOK)
        raise RunError(f"run {run} did not stop within {_PATIENCE:.0f} s", why="another program carries it out")

    async def _end_unstarted(self, run: RunId) -> RunView:
        def work(transaction: Transaction) -> None:
            view = load_run(transaction, run)
            if view.state is not RunState.CANCELLED:
                state = moved(view.state, RunState.CANCELLED)
                told = stored_event(RunCancelled(view.ledger.done))
                runs.record(transaction, Progress(run, events=(told,), state=state))

        await self._store.write(work)
        return await self.show(run)

    async def retry(self, run: RunId, cancellation: Cancellation, worker: Worker | None = None) -> RunView:
        """Run the failed rows, and those that were not reached, again.

        A row whose edits wait for approval is worked on anew.
        """
        await self._reopen(run, open_rows)
        return await self.carry_out(run, cancellation, worker)

    async def approve_gathered(
        self, run: RunId, step: str, cancellation: Cancellation, worker: Worker | None = None
    ) -> RunView:
        """Commit exactly the edits that a row has gathered, which a person approves by this call, and go on with the
        rows that were not reached. To reject them, `skip` the row.

        The approval is stored with the edits' digest, the run, the row and the revision that they will run on.
        Raises `RunError` for a row without edits that wait.
        """
        await self._reopen(run, lambda transaction, view: approve_edits(transaction, view, step))
        return await self.carry_out(run, cancellation, worker)

    async def amend(
        self, run: RunId, step: str, inputs: Inputs, cancellation: Cancellation, worker: Worker | None = None
    ) -> RunView:
        """Run a failed row with other inputs, which a person approves by this call, and go on with the rest.

        The approval is stored with the row's new inputs, the run and the revision that the row will run on.
        Raises `PlanError` for inputs that the tool does not take.
        """
        view = await self.show(run)
        amended = self._session.amended(view.plan, step, inputs)

        def open_amended(transaction: Transaction, view: RunView) -> None:
            open_rows(transaction, view)
            store_amended(transaction, view, step, amended)

        await self._reopen(run, open_amended)
        return await self.carry_out(run, cancellation, worker)

    async def skip(
        self, run: RunId, step: str, cancellation: Cancellation, worker: Worker | None = None
    ) -> RunView:
        """Leave a row out by a person's decision, and go on with the rest."""
        await self._reopen(run, lambda transaction, view: open_rows(transaction, view, step))
        return await self.carry_out(run, cancellation, worker)

    async def _reopen(self, run: RunId, open_up: Callable[[Transaction, RunView], None]) -> None:
        def work(transaction: Transaction) -> None:
            view = load_run(transaction, run)
            refuse_to_take_up(transaction, view)
            open_up(transaction, view)
            runs.record(transaction, Progress(run, state=moved(view.state, RunState.RUNNING)))

        await self._store.write(work)

    async def rollback(self, run: RunId, *, over_later: bool = False) -> RunView:
        """Restore the iteration before the run as a new one; a run that is not at its end is cancelled first.

        Raises `NotApproved` naming the later iterations, unless `over_later`.
        """
        view = await self.show(run)
        if not view.state.ended:
            view = await self.cancel(run)
        base = view.record.base_iteration
        if base is None:
            raise RunError(f"run {run} has no iteration before it")
        project = await self._store.read(lambda transaction: projects.find(transaction, view.record.project))
        assert project is not None
        later = await self._history.later_than(project, view.record.iteration or base)
        if later and not over_later:
            names = ", ".join(f"{one.id} ({one.label})" for one in later)
            raise NotApproved(
                f"run {run} is not the newest change", why=f"later iterations: {names}",
                fix="repeat with --yes to restore the song before the run all the same; nothing is lost",
            )
        workspace = await self._workspace(view)
        made = await self._history.restore(workspace, base, f"Before run {run}")
        told = Progress(run, events=(stored_event(RunRolledBack(made.id)),))
        await self._store.write(lambda transaction: runs.record(transaction, told))
        return await self.show(run)

    async def _workspace(self, view: RunView) -> Workspace:
        """The one that is open in this program, up to date, else a new one."""
        attached = self._attached.get(view.record.project)
        if attached is not None:
            await attached.reload()
            return attached
        project = await self._store.read(lambda transaction: projects.find(transaction, view.record.project))
        assert project is not None
        return await Workspace.open(self._store, project)
