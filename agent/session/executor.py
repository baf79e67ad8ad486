"""The executor: runs exactly the approved rows, each when its turn has come, and accounts for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.order import dependencies
from agent.plan.plan import Json, Step
from agent.plan.references import references_of
from agent.services.registry import Registry
from agent.session.cancellation import Cancellation
from agent.session.events import StepNotRun
from agent.session.ports import ROW, Journal, Report, RowReport, SongDoor
from agent.session.row import Cancelled, Past, RowContext, RowRunner, idempotency_key

_BAD = (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW)


class Executor:
    """Runs one plan once. It consults no model and adds no row; results never become rows."""

    def __init__(
        self, run: str, plan: Plan, plan_hash: str, registry: Registry, journal: Journal, door: SongDoor,
        cancellation: Cancellation, past: Past,
    ) -> None:
        limits = {registry.owner(step.tool).name: registry.owner(step.tool).limit for step in plan.steps}
        slots = {name: asyncio.Semaphore(limit) for name, limit in limits.items()}
        self._context = RowContext(
            run, plan, plan_hash, registry, journal, door, cancellation, slots, past, {}
        )
        self._steps: Mapping[str, Step] = {step.id: step for step in plan.steps}
        self._links = dependencies(plan.steps, registry.tools)
        self._open = {step_id: set(self._links.needs[step_id] | self._links.waits[step_id]) for step_id in self._steps}
        self._followers: dict[str, list[str]] = {step_id: [] for step_id in self._steps}
        for step_id, before in self._open.items():
            for other in before:
                self._followers[other].append(step_id)
        self._ready = [step_id for step_id, before in self._open.items() if not before]
        self._reports: dict[str, RowReport] = {}
        self._results: dict[str, Json] = {}
        self._running: dict[asyncio.Task[RowReport], Step] = {}
        self._stopped = ""

    async def execute(self) -> tuple[RowReport, ...]:
        """Run every row to its end and return their reports in plan order.

        An error of the store itself ends it at once; what was stored by then can be taken up again.
        """
        try:
            while self._ready or self._running:
                await self._begin_what_is_ready()
                if self._running:
                    ended, _ = await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
                    for task in ended:
                        await self._settle(self._running.pop(task), task)
        finally:
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)
        return tuple(self._reports[step_id] for step_id in self._steps)

    async def _begin_what_is_ready(self) -> None:
        while self._ready:
            step = self._steps[self._ready.pop(0)]
            past = self._context.past.get((step.id, ROW))
            reason = self._reason_not_to_run(step)
            if past is not None and past.state.ended:
                self._keep(past)
            elif reason:
                await self._close(step, reason)
            else:
                job = RowRunner(step, self._context).run(self._results)
                self._running[asyncio.create_task(job)] = step

    async def _settle(self, step: Step, task: asyncio.Task[RowReport]) -> None:
        try:
            self._keep(task.result())
        except Cancelled:
            await self._close(step, "cancelled")

    def _reason_not_to_run(self, step: Step) -> str:
        if self._context.cancellation.requested():
            return "cancelled"
        return self._stopped or self._blocked(step)

    def _blocked(self, step: Step) -> str:
        read = {reference.source for reference in references_of(step)}
        for need in sorted(self._links.needs[step.id] & self._reports.keys()):
            state = self._reports[need].state
            fine = state is StepState.DONE or (state is StepState.SKIPPED and need not in read)
            if not fine and not (state is StepState.PARTIAL and step.accept_partial):
                return f"blocked by row {need}, which is {state.value.replace('_', ' ')}"
        return ""

    async def _close(self, step: Step, reason: str) -> None:
        key = idempotency_key(self._context.run, self._context.plan_hash, step.id, ROW)
        report = RowReport(step.id, step.tool, StepState.NOT_RUN, key, reason=reason)
        await self._context.journal.note(Report((report,), (StepNotRun(step.id, reason),)))
        self._keep(report)

    def _keep(self, report: RowReport) -> None:
        step = self._steps[report.step]
        self._reports[report.step] = report
        if report.state in (StepState.DONE, StepState.PARTIAL):
            self._results[report.step] = report.result
        tool = self._context.registry.tools[step.tool]
        if report.state in _BAD and (step.on_error or tool.default_on_error) == "stop":
            self._stopped = self._stopped or f"row {step.id} stopped the run"
        for follower in self._followers[report.step]:
            self._open[follower].discard(report.step)
            if not self._open[follower]:
                self._ready.append(follower)
