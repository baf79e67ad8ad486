"""Running one approved row: bound to the results before it, then called once, or once for each item of its list."""

from __future__ import annotations

from collections.abc import Mapping

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.ledger import StepState
from agent.plan.plan import Json, Step
from agent.plan.tool import ToolSpec
from agent.services.binding import MAX_ITEMS, bind
from agent.services.service import ServiceError
from agent.session.attempts import Attempts
from agent.session.fan_out import FanOut
from agent.session.goal_row import GoalRow
from agent.session.ports import ROW, RowReport
from agent.session.row_context import RowContext, RowEnds


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
