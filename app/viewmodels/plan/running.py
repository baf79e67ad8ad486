"""The run that the window shows: started, watched row by row, stopped, mended and rolled back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from time import monotonic

from msgspec.structs import replace

from agent.message import msg
from agent.plan.decision import Approval
from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs
from agent.session import events as ev
from agent.session.cancellation import Cancellation
from agent.session.pace import Pace, ProgressEstimate
from agent.session.run_state import RunError, RunState
from agent.song.changes import Changes
from agent.song.ids import RunId
from app.storage.records import Project
from app.studio.running.run_view import RunView
from app.studio.running.runs import Runs
from app.studio.workspace import Workspace
from app.viewmodels.plan.following import Following, Left
from app.viewmodels.plan.live_run import LiveRun, PacedRows, PendingEdits, pending_edits_of, rows_of
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.row_states import RowProgress
from app.viewmodels.unawaited import Begin, begun
from app.viewmodels.watched import Watched

_NOT_BEGUN = (RunState.APPROVED, RunState.QUEUED, RunState.WAITING_USER)


class Running:
    """Carries out the runs of the open project, at most one at a time, and shows one in `live`. `left` returns the runs
    whose program died (None: not known)."""

    def __init__(
        self, runs: Runs, workspace: Workspace, begin: Begin = begun, left: Left | None = None
    ) -> None:
        """`left` tells which runs a program left in the middle when it died; without it every run that holds a song is
        one."""
        self._runs = runs
        self._workspace = workspace
        self._cancellation = Cancellation()
        self._task: asyncio.Task[object] | None = None
        self._silencers = [
            runs.events.listen(self._hear), runs.changed.listen(self._stored),
            workspace.changed.listen(self._song_changed),
        ]
        self._detach = runs.host.attach(workspace)
        self._pending: Mapping[str, PendingEdits] = {}
        self._begin = begin
        self.live: Watched[LiveRun | None] = Watched(None)
        self._paced = PacedRows(self.live)
        self.unfinished: Watched[RunView | None] = Watched(None)
        """A run that an earlier session left in the middle, or that is paused; it holds the song until it is resumed or
        ended. None if there is none."""
        self.following = Following(
            runs, workspace, self.live, self.unfinished, self._paced, take_over=self._take_over,
            carrying=lambda: self._task is not None, left=left,
        )

    async def close(self) -> None:
        """Stop listening, and leave a run that is under way so that it can be resumed later."""
        self._paced.forget()
        for silence in self._silencers:
            silence()
        self._detach()
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()
            await asyncio.wait([self._task])

    @property
    def project(self) -> Project:
        """The open project, whose runs these are."""
        return self._workspace.record

    async def start(self, proposal: Proposal, plan: Plan, approval: Approval) -> RunView:
        """Store the approved plan as a run and carry it out to its end; returns the run as it is then."""
        self._refuse_second()
        run = await self._runs.start(plan, approval, self.project, said=True)
        self._show_approved(run, proposal, plan)
        return await self._carry(run, lambda: self._runs.host.carry_out(run, self._cancellation))

    async def carry_out_in_turn(self, run: RunId, proposal: Proposal, plan: Plan) -> RunView:
        """Carry out a run that was approved and waits in the queue, here or in the program that reaches it first.
        Raises `NotApproved` if the song has changed until then; the run is proposed again."""
        self._refuse_second()
        self._show_approved(run, proposal, plan)
        return await self._carry(run, lambda: self._runs.queue.carry_out_in_turn(run, self._cancellation))

    def _show_approved(self, run: RunId, proposal: Proposal, plan: Plan) -> None:
        rows = {step.id: RowProgress() for step in plan.steps}
        self.live.set(LiveRun(run, plan, RunState.APPROVED, rows, proposal, monotonic()))

    async def resume(self, run: RunId) -> RunView:
        """Resume a run that was left in the middle or is paused; returns the run as it is then."""
        await self.show(run)
        self.unfinished.set(None)
        return await self._carry(run, lambda: self._runs.host.carry_out(run, self._cancellation))

    async def retry(self) -> RunView:
        """Run the failed rows, and those that were not reached, again. Returns the run as it is then."""
        return await self._go_on(lambda run: self._runs.retry(run, self._cancellation))

    async def skip(self, step: str) -> RunView:
        """Leave a failed row out, and go on with the other rows. Returns the run as it is then."""
        return await self._go_on(lambda run: self._runs.skip(run, step, self._cancellation))

    async def amend(self, step: str, inputs: Inputs, most: int | None = None) -> RunView:
        """Run a failed row with other inputs, and with `most` as its new limit of items or edits (None: the old one).
        The call is the person's approval of exactly these."""
        return await self._go_on(lambda run: self._runs.amend(run, step, inputs, self._cancellation, most=most))

    async def approve(self, step: str) -> RunView:
        """Commit exactly the edits of a row that wait for approval, and go on; the call is the person's approval of
        them."""
        return await self._go_on(lambda run: self._runs.approve_gathered(run, step, self._cancellation))

    async def roll_back(self, run: RunId, *, over_later: bool = False) -> RunView:
        """Restore the song from before a run as a new iteration. Raises `NotApproved` if later iterations exist, unless
        `over_later`."""
        return await self._ended(await self._runs.rollback(run, over_later=over_later))

    async def end(self, run: RunId) -> RunView:
        """End a run that was left in the middle; its changes of the song stay. Returns the run as it is then."""
        return await self._ended(await self._runs.stopping.cancel(run))

    async def _ended(self, view: RunView) -> RunView:
        self.unfinished.set(None)
        await self._take_over(view)
        return view

    def stop(self) -> None:
        """Stop the run within a second; what its rows have done stays."""
        now = self.live.value
        if now is None or not now.running:
            return
        self.live.set(replace(now, stopping=True))
        if self._task is not None:
            self._cancellation.cancel()
        else:
            self._begin(lambda: self._stop_elsewhere(now.run))

    async def _stop_elsewhere(self, run: RunId) -> None:
        await self._runs.stopping.cancel(run)
        await self.following.look()

    async def pause(self) -> None:
        """Pause the run after the rows that are running, or before its first row if none has begun; the run still holds
        the song. Raises `RunError` if it cannot be paused."""
        now = self.live.value
        if now is None or not now.running or now.pausing or now.stopping:
            return
        self.live.set(replace(now, pausing=True))
        if self._task is not None:
            # Asked here too: until its beginning is stored it rests by this alone, before its first row.
            self._cancellation.hold()
            if (await self._runs.show(now.run)).state in _NOT_BEGUN:
                return
        try:
            view = await self._runs.stopping.pause(now.run)
        except RunError:
            after = self.live.value
            if after is not None and after.state is not RunState.RUNNING:
                self.live.set(replace(after, pausing=False))
            raise
        if self._task is None:
            await self._take_over(view)

    async def pause_or_go_on(self) -> None:
        """Pause the run under way, or resume the one that is paused or was left in the middle."""
        left = self.unfinished.value
        if self.busy:
            await self.pause()
        elif left is not None:
            await self.resume(left.record.id)

    async def stop_or_end(self) -> None:
        """Stop the run under way, or end the one that is paused or was left in the middle."""
        left = self.unfinished.value
        if self.busy:
            self.stop()
        elif left is not None:
            await self.end(left.record.id)

    def standing(self) -> ProgressEstimate | None:
        """How far the run is and how long it may still take; None while no run is under way."""
        return self._paced.standing() if self.busy else None

    @property
    def paused(self) -> bool:
        """Whether a run of this project is paused and holds the song."""
        left = self.unfinished.value
        return left is not None and left.state is RunState.WAITING_USER

    async def show(self, run: RunId) -> None:
        """Show a stored run."""
        await self._take_over(await self._runs.show(run))

    def clear(self) -> None:
        """Show no run; one that is being carried out goes on."""
        if self.live.value is not None and not self.live.value.running:
            self.live.set(None)

    @property
    def busy(self) -> bool:
        """Whether a run is being carried out."""
        return self.live.value is not None and self.live.value.running

    @property
    def holds_song(self) -> bool:
        """Whether a run holds the song, under way, paused or left in the middle, so that no plan should be made: the
        song may still change."""
        return self.busy or self.unfinished.value is not None

    @property
    def here(self) -> bool:
        """Whether this program carries out the run that is shown, through the open project."""
        now = self.live.value
        return now is not None and now.running and (self._task is not None or self._runs.host.carries(now.run))

    @property
    def watches_another(self) -> bool:
        """Whether another program carries out the run that is shown, or did so at the last look."""
        return self.busy and not self.here

    async def _go_on(self, work: Callable[[RunId], Awaitable[RunView]]) -> RunView:
        """Let the run that is shown go on."""
        if self.live.value is None:
            raise RunError("there is no run to go on with", fix="approve a plan first")
        self._refuse_second()
        run = self.live.value.run
        return await self._carry(run, lambda: work(run))

    def _refuse_second(self) -> None:
        if self.busy:
            raise RunError(
                msg("a run is under way"), why=msg("one run at a time changes the song"), fix=msg("stop it, or wait"),
            )

    async def _carry(self, run: RunId, work: Callable[[], Awaitable[RunView]]) -> RunView:
        """Let a run go on and show it to its end, whatever that is."""
        self._cancellation = Cancellation()
        self._task = asyncio.current_task()
        now = self.live.value
        if now is not None and now.run == run:
            self.live.set(replace(
                now, state=RunState.RUNNING, stopping=False, pausing=False, elsewhere=False, view=None,
                began=monotonic(), pending_edits={},
            ))
            self._paced.begin(Pace(
                now.plan.steps, [step for step, row in now.rows.items() if row.state.ended],
                {step: row.items_done for step, row in now.rows.items() if row.items},
            ))
        try:
            view = await work()
        except Exception:
            await self._take_over(await self._runs.show(run))
            # Another program may carry it out, or nobody.
            self._begin(self.following.look)
            raise
        finally:
            self._task = None
        await self._take_over(view)
        return view

    async def _take_over(self, view: RunView) -> None:
        self._paced.tell()
        pending_edits = await self._find_pending(view)
        if self._task not in (None, asyncio.current_task()):
            # What was read before the window took a run up itself is not so any more.
            return
        self._pending, now = pending_edits, self.live.value
        if now is not None and now.run != view.record.id:
            now = None
        known = {} if now is None else now.rows
        rows = rows_of(view, known)
        self.live.set(LiveRun(
            view.record.id, view.plan, view.state, rows, None if now is None else now.proposal,
            0.0 if now is None else now.began, view=view, pending_edits=self._still_waiting(view),
        ))
        if view.state is RunState.WAITING_USER:
            self.unfinished.set(view)

    async def _find_pending(self, view: RunView) -> Mapping[str, PendingEdits]:
        if not _waits(view) or self._workspace.revision != view.record.revision:
            return {}
        now = self.live.value
        proposal = None if now is None or now.run != view.record.id else now.proposal
        shown = None if proposal is None else proposal.plan
        # Applying edits to a large song takes a while.
        return await asyncio.to_thread(pending_edits_of, view, self._workspace.song, shown)

    def _still_waiting(self, view: RunView) -> Mapping[str, PendingEdits]:
        return self._pending if self._workspace.revision == view.record.revision else {}

    def _song_changed(self, _: Changes) -> None:
        """Edits that wait were made for one song; where it comes back, by undo, so do they. What another program
        gathered may be known before its song is."""
        now = self.live.value
        if now is None or now.view is None:
            return
        if self._pending:
            waiting = self._still_waiting(now.view)
            if bool(waiting) != bool(now.pending_edits):
                self.live.set(replace(now, pending_edits=waiting))
        elif _waits(now.view) and self._workspace.revision == now.view.record.revision:
            self._begin(partial(self._find_again, now, now.view))

    async def _find_again(self, shown: LiveRun, view: RunView) -> None:
        pending_edits = await self._find_pending(view)
        if self.live.value is shown:
            self._pending = pending_edits
            self.live.set(replace(shown, pending_edits=self._still_waiting(view)))

    def _hear(self, event: ev.Event) -> None:
        now = self.live.value
        if now is None or not now.running:
            if isinstance(event, ev.RunStarted) and self._task is None:
                self.following.expect()
                self._begin(self.following.look)
            return
        match event:
            case ev.RunStarted() if now.elsewhere:
                self.following.expect()
                self._begin(self.following.look)
            case ev.RunStarted():
                self.live.set(replace(now, state=RunState.RUNNING))
            case ev.StepStarted() | ev.StepProgress() | ev.StepDone() | ev.StepFailed() | ev.StepSkipped() | \
                    ev.StepNotRun() | ev.Retrying() | ev.SubStepDone():
                self._paced.hear(now, event.step, event)
            case ev.PauseRequested():
                self.live.set(replace(now, pausing=True))
            case ev.CancelRequested():
                self.live.set(replace(now, stopping=True))
            case _:
                pass

    def _stored(self, _: RunId) -> None:
        """A run that this program carries out for the queue has begun or ended; of other programs `look` is told."""
        if self._task is None:
            self._begin(self.following.look)


def _waits(view: RunView) -> bool:
    return any(row.state is StepState.NEEDS_REVIEW for row in view.rows)
