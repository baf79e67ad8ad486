"""Running one approved row: bound to the results before it, then called once, or once for each item of its list."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Json, OnError, Step, Threshold
from agent.plan.tool import ToolSpec
from agent.services.binding import MAX_ITEMS, Bound, bind, gathered
from agent.services.service import ServiceError
from agent.session.attempts import Attempts
from agent.session.events import StepDone, StepFailed, StepProgress
from agent.session.goal_row import GoalRow
from agent.session.ports import ROW, Report, RowReport
from agent.session.row_context import NotBegun, Rests, RowContext, RowEnds


class FanOut:
    """Runs the items of one row's fan-out, once."""

    def __init__(self, step: Step, tool: ToolSpec, context: RowContext, ends: RowEnds, attempts: Attempts) -> None:
        self._step = step
        self._tool = tool
        self._context = context
        self._ends = ends
        self._attempts = attempts
        self._on_error: OnError = step.on_error or tool.default_on_error
        self._ended = 0
        self._bad = 0
        self._of = 0

    async def run(self, bound: Bound) -> RowReport:
        """Run all items: in order if they change the song, else concurrently within the service's limit. Raises `Rests`
        if items wait because of a pause, and `NotBegun` if none began."""
        self._of = len(bound.calls)
        reports = await (self._in_turn(bound.calls) if self._tool.changes_song else self._side_by_side(bound.calls))
        if any(report.state is StepState.WAITING for report in reports):
            await self._rest(reports)
        missed = tuple(report for report in reports if report.state is StepState.NOT_RUN)
        if missed and len(missed) == self._of:
            if self._step.id in self._context.begun:
                await self._context.journal.note(Report(missed))
            raise NotBegun(missed[0].reason)
        state, reason = self._verdict(reports)
        done = [report.result for report in reports if report.state is StepState.DONE]
        report = self._ends.report(ROW, state, self._step.inputs, gathered(bound, done), reason)
        event = (
            StepDone(self._step.id, result={"items": len(done)})
            if state is StepState.DONE
            else StepFailed(self._step.id, reason, state=state.value)
        )
        await self._context.journal.note(Report((*missed, report), (event,)))
        return report

    async def _side_by_side(self, calls: Sequence[Inputs]) -> list[RowReport]:
        """Items at once; `_item` closes the rest where an end stops the row."""
        tasks = [asyncio.create_task(self._item(inputs, item)) for item, inputs in enumerate(calls)]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _in_turn(self, calls: Sequence[Inputs]) -> list[RowReport]:
        return [await self._item(inputs, item) for item, inputs in enumerate(calls)]

    async def _item(self, inputs: Inputs, item: int) -> RowReport:
        """One item, unless those that ended before it stop the row."""
        try:
            report = await self._attempts.one(inputs, item, self._of, self._enough)
        except Rests:
            return self._ends.report(item, StepState.WAITING, inputs)
        except NotBegun as reason:
            return self._ends.report(item, StepState.NOT_RUN, inputs, reason=str(reason))
        self._ended += 1
        self._bad += report.state is not StepState.DONE
        told = StepProgress(self._step.id, self._ended / self._of, f"{self._ended} of {self._of} items")
        self._context.journal.tell(told)
        return report

    async def _rest(self, reports: Sequence[RowReport]) -> None:
        """Keep what has ended for when the row is taken up; the others wait."""
        ended = [one for one in reports if one.state.ended and one.state is not StepState.NOT_RUN]
        self._context.past.update({(one.step, one.item): one for one in ended})
        if ended:
            self._context.begun.add(self._step.id)
            begun = self._ends.report(ROW, StepState.RUNNING, self._step.inputs)
            await self._context.journal.note(Report((begun,)))
        raise Rests

    def _enough(self) -> str:
        """Why no further item may begin: one failed under `stop`, or more than a threshold allows."""
        allowed = self._on_error.failures if isinstance(self._on_error, Threshold) else 0
        stops = self._on_error != "continue" and self._bad > allowed
        return f"{self._bad} of the items before it failed" if stops else ""

    def _verdict(self, reports: Sequence[RowReport]) -> tuple[StepState, str]:
        items = len(reports)
        missing = [report for report in reports if report.state is not StepState.DONE]
        failed = [report for report in missing if report.state is not StepState.NOT_RUN]
        doubts = [report for report in failed if report.state is StepState.NEEDS_REVIEW]
        if doubts:
            return StepState.NEEDS_REVIEW, f"{len(doubts)} of {items} items are in doubt: {doubts[0].reason}"
        if not missing:
            return StepState.DONE, "" if items else "0 items"
        reason = f"{len(failed)} of {items} items failed, {len(missing) - len(failed)} not run: {missing[0].reason}"
        if isinstance(self._on_error, Threshold) and len(missing) == len(failed) <= self._on_error.failures:
            return StepState.DONE, reason
        return (StepState.FAILED if len(missing) == items else StepState.PARTIAL), reason


class RowRunner:
    """Runs one step to its end; `tool` is the tool as it was when the run began."""

    def __init__(self, step: Step, tool: ToolSpec, context: RowContext) -> None:
        self._step = step
        self._tool = tool
        self._context = context
        self._ends = RowEnds(step, context)

    @property
    def closed(self) -> str:
        """Why the row may not begin now; empty if it may. A row that was begun before always may."""
        return "" if self._step.id in self._context.begun else self._context.closed()

    async def run(self, results: Mapping[str, Json]) -> RowReport:
        """Run the row after the given results, by step id. Raises `NotBegun` if nothing of it was done, and `Rests` if
        it or some of its items wait because of a pause."""
        if self._context.resting() or self.closed:
            self._context.refuse_new()
        if self._step.by == "model":
            return await self._by_model(results)
        try:
            bound = bind(self._step, results)
        except BandleaderError as problem:
            return await self._ends.failed(ROW, {}, problem)
        if bound.skipped:
            return await self._ends.skipped(bound.skipped)
        attempts = Attempts(self._step, self._tool, self._context, self._ends)
        if not bound.fan_out:
            return await attempts.one(bound.calls[0], ROW)
        if len(bound.calls) > (self._step.max_edits or MAX_ITEMS):
            why = ServiceError(
                msg(
                    "{count} items, but at most {max_edits} were approved",
                    count=len(bound.calls), max_edits=self._step.max_edits,
                ),
            )
            return await self._ends.failed(ROW, {}, why, StepState.NEEDS_REVIEW)
        return await FanOut(self._step, self._tool, self._context, self._ends, attempts).run(bound)

    async def _by_model(self, results: Mapping[str, Json]) -> RowReport:
        if suspicion := self._context.suspects.get(self._step.id):
            return await self._ends.doubtful(ROW, self._step.inputs, suspicion)
        return await GoalRow(self._step, self._tool, self._context).run(results)
