"""A row that goes through a list: an item each, in order or side by side, until one ends the row."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, OnError, Step, Threshold
from agent.plan.tool import ToolSpec
from agent.services.binding import Bound, gathered
from agent.session.attempts import Attempts
from agent.session.events import StepDone, StepFailed, StepProgress
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
