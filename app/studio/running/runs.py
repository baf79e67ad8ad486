"""Runs: started, carried out, paused, taken up again, cancelled, retried, skipped and rolled back."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.decision import Approval
from agent.plan.document import Plan
from agent.plan.plan import Inputs
from agent.services.registry import Registry
from agent.session.cancellation import Cancellation
from agent.session.events import Event, RunRolledBack
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved, Session
from agent.session.worker import Worker
from agent.song.ids import RunId
from agent.song.song import Song
from app.storage import projects, runs
from app.storage.database import Transaction
from app.storage.records import ChatMessage, Project, Run, RunUpdate
from app.storage.records import Event as StoredEvent
from app.studio.errors import StudioError
from app.studio.history import History
from app.studio.integrations.connected import Connected
from app.studio.observable import Observable
from app.studio.planners import Planners
from app.studio.projects import create, remember
from app.studio.running.commit_watch import CommitWatch
from app.studio.running.proposing import approve_proposed
from app.studio.running.reopening import approve_edits, open_rows, reopen, store_amended
from app.studio.running.run_host import RunHost
from app.studio.running.run_journal import stored_event
from app.studio.running.run_options import RunOptions, keep_run_options
from app.studio.running.run_queue import RunQueue
from app.studio.running.run_start import store_run
from app.studio.running.run_view import RunView, load_run
from app.studio.running.stopping import Stopping
from app.studio.store import Store, new_run_id


class Runs:
    """The runs of all projects: `host` carries them out, `queue` lets approved ones have their turn, `stopping` pauses
    and cancels them. `events` emits events of the runs that this process carries out, `changed` the id of a run whose
    state this process has stored.

    `planners` provide the model for rows with only a goal; with None the session's own planner works on them. Without a
    `registry` every plan counts as one that changes its song. `heard` returns remarks on how a song sounds on this
    machine; it may read the disk."""

    def __init__(
        self, store: Store, session: Session, history: History, planners: Planners | None = None,
        registry: Registry | None = None, connected: Connected | None = None,
        heard: Callable[[Song], Sequence[str]] = lambda _: (),
    ) -> None:
        self._store = store
        self._session = session
        self._history = history
        self._registry = Registry(()) if registry is None else registry
        self._connected = connected
        self.host = RunHost(store, session, planners, heard)
        self.stopping = Stopping(store, self.host)
        self.queue = RunQueue(store, session, self.host, self.stopping)

    @property
    def events(self) -> Observable[Event]:
        """Events of the runs that this process carries out."""
        return self.host.events

    @property
    def changed(self) -> Observable[RunId]:
        """Ids of runs whose state this process has stored."""
        return self.host.changed

    def watch(self, every: float = 1.0) -> CommitWatch[RunId]:
        """A watch on commits of this process and, checked every `every` seconds, of other programs."""
        return CommitWatch(self._store, self.changed, every)

    async def all(self, project: Project) -> tuple[Run, ...]:
        """A project's runs, newest first."""
        return await self._store.read(lambda transaction: runs.all_of(transaction, project.id))

    async def damaged(self, project: Project) -> tuple[str, ...]:
        """A sentence for each damaged run of a project, which `all` leaves out."""
        return await self._store.read(lambda transaction: runs.damaged(transaction, project.id))

    async def show(self, run: RunId) -> RunView:
        """Everything stored about a run. Raises `StudioError` if there is none."""
        return await self._store.read(lambda transaction: load_run(transaction, run))

    async def news(self, run: RunId, after: int = 0) -> tuple[RunState, tuple[StoredEvent, ...]]:
        """A run's state, and its events with a number above `after`, in order. Raises `StudioError` if there is
        none."""

        def work(transaction: Transaction) -> tuple[RunState, tuple[StoredEvent, ...]]:
            record = runs.find(transaction, run)
            if record is None:
                raise StudioError(msg("there is no run {run!r:.60}", run=run), fix=FixKind.LIST_RUNS())
            return RunState(record.state), runs.events(transaction, run, after)

        return await self._store.read(work)

    async def start(
        self, plan: Plan, approval: Approval, project: Project, *, queued: bool = False, said: bool = False,
        options: RunOptions | None = None,
    ) -> RunId:
        """Store an approved plan as a run and return its id; a project that is only a draft is stored with it. The
        request becomes a message of the chat, unless `said`: it is there already. `options` name, for example, the
        model for rows with only a goal.

        Raises `NotApproved` if the song is not the approved one any more, and `RunError` while another run holds the
        song; a `queued` run may wait for that, but only one that changes the song at a time."""
        run_id = new_run_id()

        def work(transaction: Transaction) -> None:
            stored = projects.find(transaction, project.id) or create(transaction, self._store, project)
            store_run(transaction, run_id, plan, approval, stored, self._registry, queued=queued)
            if options is not None:
                keep_run_options(transaction, run_id, options)
            if plan.request and not said:
                self._store.chat.say(transaction, ChatMessage(project.id, "user", plan.request, run_id))
            remember(transaction, project.id)

        await self._store.write(work)
        self.changed.emit(run_id)
        return run_id

    async def approve(self, run: RunId, given_hash: str) -> RunView:
        """Approve the plan that a run proposes, by its hash; the run is QUEUED then, to be carried out.

        Raises `RunError` for a run that proposes nothing, and while another approved run is queued, `NotApproved` for
        any other hash. If the song has changed, the rows are checked against it and proposed again."""
        try:
            await approve_proposed(self._store, self._session, self._registry, run, given_hash)
        finally:
            self.changed.emit(run)
        return await self.show(run)

    async def unknown_tools(self, plan: Plan) -> tuple[str, ...]:
        """Names of the plan's tools that are not in the registry any more."""
        if self._connected is not None:
            await self._connected.follow()
        return tuple(sorted({step.tool for step in plan.steps} - self._registry.tools.keys()))

    async def retry(self, run: RunId, cancellation: Cancellation, worker: Worker | None = None) -> RunView:
        """Run failed rows, and those that were not reached, again.

        Rows whose edits wait for approval are worked on anew. For a call in doubt its service is asked first if it can
        be; otherwise the call is repeated, which is the caller's decision."""
        await self._reopen(run, lambda transaction, view: open_rows(transaction, view, probing=self._probing()))
        return await self.host.carry_out(run, cancellation, worker)

    async def approve_gathered(
        self, run: RunId, step: str, cancellation: Cancellation, worker: Worker | None = None
    ) -> RunView:
        """Commit exactly the edits that a row has collected, which a person approves by this call, and go on with rows
        that were not reached. To reject them, `skip` the row.

        The approval is stored with the edits' digest, the run, the row and the revision that they are applied to.
        Raises `RunError` for a row without such edits."""
        await self._reopen(run, lambda transaction, view: approve_edits(transaction, view, step))
        return await self.host.carry_out(run, cancellation, worker)

    async def amend(
        self, run: RunId, step: str, inputs: Inputs | None, cancellation: Cancellation, worker: Worker | None = None,
        *, most: int | None = None,
    ) -> RunView:
        """Run a failed row with other inputs, or another maximum `most` of items or edits, which a person approves by
        this call, and go on with the rest. None leaves either unchanged.

        The approval is stored with the row's inputs and maximum, the run and the revision that the row runs on. Raises
        `PlanError` for inputs that the tool does not accept, and for a maximum where the row has none."""
        view = await self.show(run)
        amended = self._session.amended(view.plan, step, inputs, most)

        def open_amended(transaction: Transaction, view: RunView) -> None:
            open_rows(transaction, view, amended=step, probing=self._probing())
            store_amended(transaction, view, step, amended)

        await self._reopen(run, open_amended)
        return await self.host.carry_out(run, cancellation, worker)

    async def skip(
        self, run: RunId, step: str, cancellation: Cancellation, worker: Worker | None = None
    ) -> RunView:
        """Leave a row out, which a person decides by this call, and go on with the rest."""
        probing = self._probing()
        await self._reopen(run, lambda transaction, view: open_rows(transaction, view, skipped=step, probing=probing))
        return await self.host.carry_out(run, cancellation, worker)

    def _probing(self) -> Set[str]:
        return {name for name, tool in self._registry.tools.items() if tool.probes}

    async def _reopen(self, run: RunId, open_up: Callable[[Transaction, RunView], None]) -> None:
        await self._store.write(lambda transaction: reopen(transaction, self._store, run, open_up))

    async def rollback(self, run: RunId, *, over_later: bool = False) -> RunView:
        """Restore the iteration before the run as a new one; a run that has not ended is cancelled first. If the song
        is that of before the run already, nothing is restored. Raises `RunError` if there is no iteration before it,
        and `NotApproved` naming later iterations, unless `over_later`."""
        view = await self.show(run)
        if not view.state.ended:
            view = await self.stopping.cancel(run)
        base = view.record.base_iteration
        if base is None:
            raise RunError(msg("run {run} has no iteration before it", run=run))
        project = await self._store.read(lambda transaction: projects.find(transaction, view.record.project))
        assert project is not None
        later = await self._history.later_than(project, view.record.iteration or base)
        if later and not over_later:
            names = ", ".join(f"{one.id} ({one.label})" for one in later)
            raise NotApproved(
                msg("run {run} is not the newest change", run=run), why=msg("later iterations: {names}", names=names),
                fix=FixKind.CONFIRM_ROLLBACK(),
            )
        back = base
        if project.working != view.record.base_revision:
            workspace = await self.host.workspace(project.id)
            back = (await self._history.restore(workspace, base, f"Before run {run}")).id
        told = RunUpdate(run, events=(stored_event(RunRolledBack(back)),))
        await self._store.write(lambda transaction: runs.record(transaction, told))
        return await self.show(run)
