"""Running one row that is left to a model: worked on apart, then committed whole, or kept until a person decides."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Json, Step
from agent.plan.tool import ToolSpec
from agent.review.goals import refuse_unknown_tracks
from agent.services.binding import bind
from agent.services.goal_service import GoalResult, SubStep
from agent.services.service import Origin, ServiceError
from agent.session.cancellation import WorkCancelled
from agent.session.events import Event, ModelUsed, StepDone, StepFailed, StepStarted, SubStepDone
from agent.session.gathering import approval_in, digest_of, done_result, gathered_edits, waiting_result
from agent.session.ghost import GhostSong
from agent.session.ports import ROW, Report, RowReport, SongMoved
from agent.session.row_context import NotBegun, RowContext, RowEnds
from agent.session.spending import Spending
from agent.session.worker import Goal, Worked, Worker, goal_of
from agent.song.apply import apply_all
from agent.song.edits import Edit
from agent.song.errors import SongError
from agent.song.revision import song_revision

_LONGEST_TOLD = 2000


class GoalRow:
    """Runs one row with a goal, whose inputs are not known beforehand. Nothing reaches the song before the work has
    ended; then all edits are committed in one transaction with the row's report."""

    def __init__(self, step: Step, tool: ToolSpec, context: RowContext) -> None:
        self._step = step
        self._tool = tool
        self._context = context
        self._ends = RowEnds(step, context)

    async def run(self, results: Mapping[str, Json]) -> RowReport:
        """Run the row after the given results, by step id. Raises `NotBegun` if it was cancelled, without leaving
        anything of it, and `Rests` if it waits because of a pause."""
        past = self._context.past.get((self._step.id, ROW))
        if past is not None and gathered_edits(past) and approval_in(past) is not None:
            return await self._commit_approved(past)
        worker = self._context.worker
        if worker is None:
            return await self._ends.failed(
                ROW, {}, ServiceError(msg("this row is left to a model, and none is at hand"))
            )
        try:
            bound = bind(self._step, results)
            if bound.skipped:
                return await self._ends.skipped(bound.skipped)
            goal = goal_of(self._step, bound.calls[0])
            refuse_unknown_tracks(goal.limits, self._context.door.song)
            slot = self._context.slot(self._context.registry.owner(self._tool.name))
        except BandleaderError as problem:
            return await self._ends.failed(ROW, {}, problem)
        async with slot:
            self._context.refuse_new()
            return await self._work(worker, goal, bound.calls[0])

    async def _work(self, worker: Worker, goal: Goal, inputs: Inputs) -> RowReport:
        context = self._context
        await context.journal.note(Report((), (StepStarted(self._step.id, self._step.tool, ROW, inputs),)))
        # What a model is told leaves the program: all that led to it is stored before.
        await context.journal.settled()
        origin = Origin(context.plan_hash, self._step.id, ROW, context.run)
        ghost = GhostSong(
            context.door.song, goal.limits, goal.max_edits, context.registry, context.kept, origin,
            context.plan.project, self._told,
        )
        spending = Spending()
        seconds = self._step.timeout or self._tool.timeout
        try:
            async with asyncio.timeout(seconds):
                worked = await worker.work(goal, ghost, context.cancellation, spending)
        except TimeoutError:
            worked = Worked(failed=f"{worker.name} took longer than {seconds:g} s")
        except WorkCancelled:
            await context.journal.note(Report((), self._used(spending)))
            raise NotBegun("cancelled") from None
        return await self._ended(goal, worked, ghost, inputs, self._used(spending))

    async def _told(self, call: SubStep) -> None:
        """Store a call as soon as it is carried out on the ghost."""
        told = call.reason if not call.ok else msgspec.json.encode(call.result).decode()
        event = SubStepDone(self._step.id, call.number, call.tool, call.inputs, call.ok, told[:_LONGEST_TOLD])
        await self._context.journal.note(Report((), (event,)))

    def _used(self, spending: Spending) -> tuple[Event, ...]:
        """Count what the row used, and the event that tells it, if it used anything."""
        self._context.spending.add(spending.usage, spending.cost)
        used = spending.usage
        if not used.calls and not used.total:
            return ()
        return (ModelUsed(self._step.id, used.total, used.calls, spending.cost),)

    async def _ended(
        self, goal: Goal, worked: Worked, ghost: GhostSong, inputs: Inputs, used: tuple[Event, ...]
    ) -> RowReport:
        result = GoalResult(tuple(ghost.calls), len(ghost.edits), not (worked.stopped or worked.failed), worked.words)
        plain = msgspec.to_builtins(result)
        if worked.failed or not ghost.edits:
            said = f": {worked.words}" if worked.words else ""
            reason = worked.failed or worked.stopped or f"nothing was changed{said[:300]}"
            return await self._rests(StepState.FAILED, inputs, plain, reason, used)
        if worked.stopped or not goal.limits.accept:
            why = f" ({worked.stopped})" if worked.stopped else ""
            reason = f"ready for your approval: {_counted(ghost.edits)}{why}"
            return await self._rests(StepState.NEEDS_REVIEW, inputs, waiting_result(result, ghost.edits), reason, used)
        if self._context.cancellation.requested():
            await self._context.journal.note(Report((), used))
            raise NotBegun("cancelled")
        return await self._commit(ghost.edits, inputs, plain, used)

    async def _rests(
        self, state: StepState, inputs: Inputs, result: Json, reason: str, before: tuple[Event, ...] = ()
    ) -> RowReport:
        """Store an end that changes nothing."""
        report = self._ends.report(ROW, state, inputs, result, reason)
        event = StepFailed(self._step.id, reason, ROW, state.value)
        await self._context.journal.note(Report((report,), (*before, event)))
        return report

    async def _commit(
        self, edits: Sequence[Edit], inputs: Inputs, result: Json, before: tuple[Event, ...] = ()
    ) -> RowReport:
        report = self._ends.report(ROW, StepState.DONE, inputs, result)
        done = StepDone(self._step.id, ROW, {"edits": len(edits)})
        try:
            await self._context.door.commit(edits, Report((report,), (*before, done)))
        except SongMoved as moved:
            return await self._rests(StepState.NEEDS_REVIEW, inputs, result, str(moved), before)
        except SongError as problem:
            return await self._rests(StepState.FAILED, inputs, result, str(problem), before)
        return report

    async def _commit_approved(self, past: RowReport) -> RowReport:
        """Commit the edits that a person approved, if song and edits are still those of the approval."""
        if self._context.cancellation.requested():
            raise NotBegun("cancelled")
        edits, song = gathered_edits(past), self._context.door.song
        given, result = approval_in(past), done_result(past.result)
        if given is None or given.edits != digest_of(edits) or given.revision != song_revision(song):
            reason = "what was approved is not what would be committed now"
            return await self._rests(StepState.NEEDS_REVIEW, past.inputs, result, reason)
        try:
            refusal = self._context.kept.refusal(song, apply_all(song, edits))
        except SongError as problem:
            return await self._rests(StepState.FAILED, past.inputs, result, str(problem))
        if refusal:
            return await self._rests(StepState.FAILED, past.inputs, result, f"it would change {refusal}")
        return await self._commit(edits, past.inputs, result)


def _counted(edits: Sequence[Edit]) -> str:
    return "1 edit" if len(edits) == 1 else f"{len(edits)} edits"
