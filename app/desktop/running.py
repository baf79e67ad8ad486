"""The run that the window shows: started, watched row by row, stopped, mended and rolled back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.decision import Approval
from agent.plan.document import Plan
from agent.plan.ledger import Ledger, StepState, balance
from agent.plan.plan import Inputs
from agent.session import events as ev
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunError, RunState
from agent.song.ids import RunId
from app.desktop.reviewing import Proposal
from app.desktop.watched import Watched
from app.storage.records import Project
from app.studio.run_view import RunView
from app.studio.runs import Runs
from app.studio.workspace import Workspace


class RowProgress(Struct, frozen=True):
    """How far a row is. `share` is 0-1 of a long call, `seconds` what an ended row took (None: not known)."""

    state: StepState = StepState.WAITING
    reason: str = ""
    share: float | None = None
    items_done: int = 0
    retries: int = 0
    """How often it was tried again, or is about to be."""
    again_in: float | None = None
    began: float | None = None
    """Of `time.monotonic()`."""
    seconds: float | None = None


class LiveRun(Struct, frozen=True):
    """A run as the window shows it, while it runs and afterwards."""

    run: RunId
    plan: Plan
    state: RunState
    rows: Mapping[str, RowProgress]
    proposal: Proposal | None = None
    """What it was approved from, as long as the window was not closed since."""
    began: float = 0.0
    stopping: bool = False
    view: RunView | None = None
    """What is stored of it, once it has ended."""

    @property
    def running(self) -> bool:
        """Whether it is being carried out here."""
        return self.state in (RunState.APPROVED, RunState.RUNNING)

    @property
    def ledger(self) -> Ledger:
        """The account so far; rows that wait or run are in none of its columns."""
        return balance(row.state for row in self.rows.values())

    @property
    def failed(self) -> tuple[str, ...]:
        """Rows that need the person."""
        bad = (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW)
        return tuple(step.id for step in self.plan.steps if self.rows[step.id].state in bad)


class Running:
    """At most one run of the open project is carried out at a time."""

    def __init__(self, runs: Runs, workspace: Workspace) -> None:
        self._runs = runs
        self._workspace = workspace
        self._cancellation = Cancellation()
        self._task: asyncio.Task[object] | None = None
        self._silence = runs.events.listen(self._hear)
        self._detach = runs.attach(workspace)
        self.live: Watched[LiveRun | None] = Watched(None)
        self.unfinished: Watched[RunView | None] = Watched(None)
        """A run that an earlier session left in the middle; it holds the song until it is taken up or ended."""

    async def close(self) -> None:
        """Stop listening, and leave a run that is under way so that it can be taken up."""
        self._silence()
        self._detach()
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()
            await asyncio.wait([self._task])

    @property
    def project(self) -> Project:
        """The project whose runs these are."""
        return self._workspace.record

    async def look_for_unfinished(self) -> None:
        """Find a run that was left in the middle, or approved for this song and never begun."""
        if self._workspace.draft:
            return
        for record in await self._runs.all(self.project):
            state = RunState(record.state)
            never_begun = state is RunState.APPROVED and record.base_revision == self._workspace.revision
            if state.holds_song or never_begun:
                self.unfinished.set(await self._runs.show(record.id))
                return
        self.unfinished.set(None)

    async def start(self, proposal: Proposal, plan: Plan, approval: Approval) -> RunView:
        """Store the approved plan as a run and carry it out to its end."""
        self._refuse_second()
        run = await self._runs.start(plan, approval, self.project, said=True)
        rows = {step.id: RowProgress() for step in plan.steps}
        self.live.set(LiveRun(run, plan, RunState.APPROVED, rows, proposal, monotonic()))
        return await self._carry(run, lambda: self._runs.carry_out(run, self._cancellation))

    async def resume(self, run: RunId) -> RunView:
        """Take up a run that was left in the middle."""
        await self.show(run)
        self.unfinished.set(None)
        return await self._carry(run, lambda: self._runs.carry_out(run, self._cancellation))

    async def retry(self) -> RunView:
        """Run the failed rows, and those that were not reached, again."""
        run = self._shown().run
        return await self._carry(run, lambda: self._runs.retry(run, self._cancellation))

    async def skip(self, step: str) -> RunView:
        """Leave a failed row out, and go on with the rest."""
        run = self._shown().run
        return await self._carry(run, lambda: self._runs.skip(run, step, self._cancellation))

    async def amend(self, step: str, inputs: Inputs) -> RunView:
        """Run a failed row with other inputs; this is the person's approval of exactly these."""
        run = self._shown().run
        return await self._carry(run, lambda: self._runs.amend(run, step, inputs, self._cancellation))

    async def roll_back(self, run: RunId, *, over_later: bool = False) -> RunView:
        """Restore the song from before a run as a new iteration. Raises `NotApproved` if later ones exist."""
        view = await self._runs.rollback(run, over_later=over_later)
        self.unfinished.set(None)
        self._take_over(view)
        return view

    async def end(self, run: RunId) -> RunView:
        """End a run that was left in the middle; what it has done stays."""
        view = await self._runs.cancel(run)
        self.unfinished.set(None)
        self._take_over(view)
        return view

    def stop(self) -> None:
        """Stop within a second; what is done stays."""
        self._cancellation.cancel()
        if self.live.value is not None and self.live.value.running:
            self.live.set(replace(self.live.value, stopping=True))

    async def show(self, run: RunId) -> None:
        """Show a stored run."""
        self._take_over(await self._runs.show(run))

    def clear(self) -> None:
        """Show no run; one that is being carried out stays."""
        if self.live.value is not None and not self.live.value.running:
            self.live.set(None)

    @property
    def busy(self) -> bool:
        """Whether a run is being carried out."""
        return self.live.value is not None and self.live.value.running

    def _shown(self) -> LiveRun:
        if self.live.value is None:
            raise RunError("there is no run to go on with", fix="approve a plan first")
        self._refuse_second()
        return self.live.value

    def _refuse_second(self) -> None:
        if self.busy:
            raise RunError("a run is under way", why="one run at a time changes the song", fix="stop it, or wait")

    async def _carry(self, run: RunId, work: Callable[[], Awaitable[RunView]]) -> RunView:
        """Let a run go on and show it to its end, whatever that is."""
        self._cancellation = Cancellation()
        self._task = asyncio.current_task()
        now = self.live.value
        if now is not None and now.run == run:
            self.live.set(replace(now, state=RunState.RUNNING, stopping=False, view=None, began=monotonic()))
        try:
            view = await work()
        except Exception:
            self._take_over(await self._runs.show(run))
            raise
        finally:
            self._task = None
        self._take_over(view)
        return view

    def _take_over(self, view: RunView) -> None:
        now = self.live.value
        known = now.rows if now is not None and now.run == view.record.id else {}
        rows = {
            row.step: replace(
                known.get(row.step, RowProgress()), state=row.state, reason=row.reason, share=None, again_in=None
            )
            for row in view.rows
        }
        proposal = now.proposal if now is not None and now.run == view.record.id else None
        began = now.began if now is not None else 0.0
        self.live.set(LiveRun(view.record.id, view.plan, view.state, rows, proposal, began, view=view))

    def _hear(self, event: ev.Event) -> None:
        now = self.live.value
        if now is None or not now.running:
            return
        match event:
            case ev.RunStarted():
                self.live.set(replace(now, state=RunState.RUNNING))
            case ev.StepStarted() | ev.StepProgress() | ev.StepDone() | ev.StepFailed() | ev.StepSkipped() | \
                    ev.StepNotRun() | ev.Retrying():
                row = now.rows.get(event.step)
                if row is not None:
                    self.live.set(replace(now, rows={**now.rows, event.step: _after(row, event)}))
            case _:
                pass


def _after(row: RowProgress, event: ev.Event) -> RowProgress:
    """A row after an event of it; events of single items only count."""
    now = monotonic()
    match event:
        case ev.StepStarted(item=item):
            began = row.began if item >= 0 and row.began is not None else now
            return replace(row, state=StepState.RUNNING, began=began, again_in=None)
        case ev.StepProgress(share=share):
            return replace(row, share=share)
        case ev.StepDone(item=item) if item >= 0:
            return replace(row, items_done=row.items_done + 1)
        case ev.StepDone():
            took = None if row.began is None else now - row.began
            return replace(row, state=StepState.DONE, share=None, seconds=took)
        case ev.StepFailed(item=item, reason=reason, state=state) if item < 0:
            return replace(row, state=StepState(state), reason=reason, share=None)
        case ev.StepSkipped(reason=reason):
            return replace(row, state=StepState.SKIPPED, reason=reason)
        case ev.StepNotRun(reason=reason):
            return replace(row, state=StepState.NOT_RUN, reason=reason)
        case ev.Retrying(attempt=attempt, seconds=seconds, reason=reason):
            return replace(row, retries=attempt, again_in=seconds, reason=reason)
    return row
