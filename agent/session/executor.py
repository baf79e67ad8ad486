"""The executor: runs exactly the approved rows, each when its turn has come, and accounts for all of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.order import dependencies
from agent.plan.pins import unpinned
from agent.plan.plan import Json, Step, Threshold
from agent.plan.references import parse_reference, references_of
from agent.plan.tool import ToolSpec
from agent.review.fenced import Closed
from agent.services.registry import Registry
from agent.session.cancellation import Cancellation
from agent.session.events import StepNotRun
from agent.session.ports import ROW, Journal, Report, RowReport, SongDoor
from agent.session.row import RowRunner
from agent.session.row_context import NotBegun, Past, Rests, RowContext, RowEnds
from agent.session.spending import Spending
from agent.session.worker import Worker
from agent.song.song import Song

_GRACE = 0.5
"""Seconds that a call under way has to stop by itself after a cancellation."""
_BAD = (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW)


class Executor:
    """Runs the rows of one plan once. It adds no row, and results never become rows; only the worker for rows with a
    goal may call a model."""

    def __init__(
        self, run: str, plan: Plan, plan_hash: str, registry: Registry, journal: Journal, door: SongDoor,
        cancellation: Cancellation, past: Past, worker: Worker | None = None, spending: Spending | None = None,
        refused: Mapping[str, str] | None = None, base: Song | None = None,
    ) -> None:
        """`past` are the reports of an earlier part of the run, `refused` says which rows may not run, and why; rows
        whose tool is gone or is not the approved one any more may not by themselves. `base` is the song that the plan
        was made for, where that is not the one of now."""
        self._steps: Mapping[str, Step] = {step.id: step for step in plan.steps}
        # As they are now: what becomes of a tool later is found out when its row begins.
        self._tools = {step.tool: registry.tools.get(step.tool) or _gone(step.tool) for step in plan.steps}
        suspects = refused or unpinned(plan.steps, plan.pins, registry.tools)
        begun = {row.step for row in past.values() if row.state in (StepState.DONE, StepState.RUNNING)}
        places = {step.id: place for place, step in enumerate(plan.steps)}
        self._context = RowContext(
            run, plan, places, plan_hash, registry, journal, door, cancellation, dict(past), begun, suspects,
            self._closed_to_new, Closed(plan.locks, plan.fence, base or door.song), worker=worker,
            spending=spending or Spending(),
        )
        self._links = dependencies(plan.steps, registry.tools)
        self._open = {step_id: set(self._links.needs[step_id] | self._links.waits[step_id]) for step_id in self._steps}
        self._followers: dict[str, list[str]] = {step_id: [] for step_id in self._steps}
        for step_id, before in self._open.items():
            for other in before:
                self._followers[other].append(step_id)
        self._ready = deque(step_id for step_id, before in self._open.items() if not before)
        self._reports: dict[str, RowReport] = {}
        self._results: dict[str, Json] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._ended: asyncio.Queue[asyncio.Task[None]] = asyncio.Queue()
        self._interrupting: asyncio.TimerHandle | None = None
        self._stopped = ""
        self._resting: list[str] = []

    async def execute(self) -> tuple[RowReport, ...]:
        """Run every row to its end and return their reports in plan order, once all are stored.

        After a pause request, rows that did not begin are waiting, and a fan-out that was interrupted is running. An
        error of the store ends it at once; what was stored by then can be resumed."""
        silence = self._context.cancellation.listen(self._interrupt_soon)
        try:
            await self._run_what_may_run()
            await self._context.journal.settled()
            while self._woken_by_cancel():
                await self._run_what_may_run()
                await self._context.journal.settled()
        finally:
            silence()
            if self._interrupting is not None:
                self._interrupting.cancel()
            if self._running:
                for task in self._running:
                    task.cancel()
                await asyncio.gather(*self._running, return_exceptions=True)
        return tuple(self._reports.get(step_id) or self._waiting(step) for step_id, step in self._steps.items())

    async def _run_what_may_run(self) -> None:
        while self._ready or self._running:
            await self._begin_what_is_ready()
            if self._running:
                ended = await self._ended.get()
                self._running.discard(ended)
                ended.result()

    async def _begin_what_is_ready(self) -> None:
        # Rows that do not begin are stored together: a stop of a long plan must not cost a write for each.
        closed: list[RowReport] = []
        while self._ready:
            step = self._steps[self._ready.popleft()]
            runner = RowRunner(step, self._tools[step.tool], self._context)
            past = self._context.past.get((step.id, ROW))
            if past is not None and past.state.ended:
                self._keep(past)
            elif self._context.resting():
                self._resting.append(step.id)
            elif reason := self._blocked(step) or runner.closed:
                closed.append(self._not_run(step, reason))
                self._keep(closed[-1])
            elif self._ready or self._running:
                task = asyncio.create_task(self._run(runner, step))
                task.add_done_callback(self._ended.put_nowait)
                self._running.add(task)
            else:
                # A row that is alone needs no task of its own: this halves what a small edit costs here.
                await self._note(closed)
                closed = []
                await self._run(runner, step)
        await self._note(closed)

    async def _run(self, runner: RowRunner, step: Step) -> None:
        """One row to its end, kept at once, so that a stop holds before the next row takes its place."""
        try:
            self._keep(await runner.run(self._results))
        except Rests:
            self._resting.append(step.id)
        except NotBegun as reason:
            report = self._not_run(step, str(reason))
            await self._note([report])
            self._keep(report)

    def _woken_by_cancel(self) -> bool:
        """Rows that rest are accounted for once someone asks to stop; whether there are any."""
        if not self._resting or not self._context.cancellation.requested():
            return False
        self._ready.extend(self._resting)
        self._resting.clear()
        return True

    def _waiting(self, step: Step) -> RowReport:
        state = StepState.RUNNING if step.id in self._context.begun else StepState.WAITING
        return RowEnds(step, self._context).report(ROW, state, {})

    def _interrupt_soon(self) -> None:
        """End what is under way once it has had its time to stop by itself."""
        self._interrupting = asyncio.get_running_loop().call_later(_GRACE, self._interrupt)

    def _interrupt(self) -> None:
        for task in tuple(self._context.calls):
            task.cancel()

    def _closed_to_new(self) -> str:
        """Why no new call may begin; empty as long as it may."""
        return "cancelled" if self._context.cancellation.requested() else self._stopped

    def _blocked(self, step: Step) -> str:
        """Why a row cannot run; whether a skipped row's result exists may be asked, and is then answered no."""
        needs = self._links.needs[step.id] & self._reports.keys()
        if all(self._reports[need].state is StepState.DONE for need in needs):
            return ""
        read = {reference.source for reference in references_of(step)}
        if step.when is not None and step.when.op == "exists":
            read.discard(parse_reference(step.when.left).source)
        for need in sorted(needs):
            state = self._reports[need].state
            if state is StepState.NOT_RUN:
                return self._reports[need].reason
            fine = state is StepState.DONE or (state is StepState.SKIPPED and need not in read)
            if not fine and not (state is StepState.PARTIAL and step.accept_partial):
                is_so = "needs review" if state is StepState.NEEDS_REVIEW else f"is {state.value.replace('_', ' ')}"
                return f"blocked by row {need}, which {is_so}"
        return ""

    def _not_run(self, step: Step, reason: str) -> RowReport:
        return RowEnds(step, self._context).report(ROW, StepState.NOT_RUN, {}, reason=reason)

    async def _note(self, closed: Sequence[RowReport]) -> None:
        if closed:
            events = tuple(StepNotRun(report.step, report.reason) for report in closed)
            await self._context.journal.note(Report(tuple(closed), events))

    def _keep(self, report: RowReport) -> None:
        step = self._steps[report.step]
        self._reports[report.step] = report
        if report.state in (StepState.DONE, StepState.PARTIAL):
            self._results[report.step] = report.result
        if report.state in _BAD and self._stops(step, report):
            self._stopped = self._stopped or f"row {step.id} stopped the run"
        for follower in self._followers[report.step]:
            self._open[follower].discard(report.step)
            if not self._open[follower]:
                self._ready.append(follower)

    def _stops(self, step: Step, report: RowReport) -> bool:
        """Whether a row that ended badly lets no other begin; an edit in doubt always does."""
        tool = self._tools[step.tool]
        if report.state is StepState.NEEDS_REVIEW and tool.changes_song:
            return True
        rule = step.on_error or tool.default_on_error
        return rule == "stop" or (isinstance(rule, Threshold) and (step.for_each is not None or rule.failures == 0))


def _gone(name: str) -> ToolSpec:
    """Stands for a tool that nobody owns: its row needs a person, and no other row may rely on anything of it."""
    return ToolSpec(name, "", "", "", {}, {}, effect="outside")
