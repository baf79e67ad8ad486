"""Running one approved row: bind, call its service, commit, retry; every way it can end is a report."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence

import msgspec

from agent.errors import BandleaderError, Blame
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Json, Step, Threshold
from agent.plan.tool import ToolSpec
from agent.services.binding import MAX_ITEMS, Bound, bind, gathered
from agent.services.service import Call, Origin, Outcome, Service, ServiceError, called
from agent.session.events import Event, Retrying, StepDone, StepFailed, StepProgress, StepStarted
from agent.session.goal_row import GoalRow
from agent.session.ports import ROW, Report, RowReport, SongMoved
from agent.session.row_context import InDoubt, NotBegun, RowContext, RowEnds
from agent.song.apply import apply_all
from agent.song.errors import SongError
from agent.song.locks import broken, describe
from agent.song.song import Song


class RowRunner:
    """Runs one step to its end."""

    def __init__(self, step: Step, context: RowContext) -> None:
        self._step = step
        self._context = context
        self._tool: ToolSpec = context.registry.tools[step.tool]
        self._service: Service = context.registry.owner(step.tool)
        self._ends = RowEnds(step, context)

    @property
    def closed(self) -> str:
        """Why the row may not begin now; empty as long as it may, as one that was begun before always may."""
        reason = self._context.closed()
        return "" if reason and self._begun_before() else reason

    async def run(self, results: Mapping[str, Json]) -> RowReport:
        """Run the row after the given results. Raises `NotBegun` if nothing of it was done."""
        if reason := self.closed:
            raise NotBegun(reason)
        if self._step.by == "model":
            return await GoalRow(self._step, self._context).run(results)
        try:
            bound = bind(self._step, results)
        except BandleaderError as problem:
            return await self._ends.failed(ROW, {}, problem)
        if bound.skipped:
            return await self._ends.skipped(bound.skipped)
        if not bound.fan_out:
            return await self._one(bound.calls[0], ROW)
        if len(bound.calls) > (self._step.max_edits or MAX_ITEMS):
            why = ServiceError(f"{len(bound.calls)} items, but at most {self._step.max_edits} were approved")
            return await self._ends.failed(ROW, {}, why, StepState.NEEDS_REVIEW)
        return await self._fan_out(bound)

    def _begun_before(self) -> bool:
        """Whether an earlier part of this run did something of the row, or may have."""
        states = [past.state for (step, _), past in self._context.past.items() if step == self._step.id]
        return StepState.DONE in states or StepState.RUNNING in states

    async def _fan_out(self, bound: Bound) -> RowReport:
        """All items: in order where they change the song, else side by side within the service's limit."""
        reports = await (self._in_turn(bound.calls) if self._tool.changes_song else self._side_by_side(bound.calls))
        done = [report.result for report in reports if report.state is StepState.DONE]
        missed = tuple(report for report in reports if report.state is StepState.NOT_RUN)
        if missed and len(missed) == len(reports):
            raise NotBegun(missed[0].reason)
        state, reason = self._verdict(reports)
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
        reports: list[RowReport] = []
        tasks = [asyncio.create_task(self._item(inputs, item, reports)) for item, inputs in enumerate(calls)]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _in_turn(self, calls: Sequence[Inputs]) -> list[RowReport]:
        reports: list[RowReport] = []
        return [await self._item(inputs, item, reports) for item, inputs in enumerate(calls)]

    async def _item(self, inputs: Inputs, item: int, ended: list[RowReport]) -> RowReport:
        """One item of a fan-out, unless those that `ended` before it stop the row."""
        try:
            report = await self._one(inputs, item, lambda: self._enough(ended))
        except NotBegun as reason:
            return self._ends.report(item, StepState.NOT_RUN, inputs, reason=str(reason))
        ended.append(report)
        return report

    def _enough(self, ended: Sequence[RowReport]) -> str:
        """Why no further item may begin: one failed under `stop`, or more than a threshold allows."""
        bad = sum(report.state is not StepState.DONE for report in ended)
        allowed = self._on_error.failures if isinstance(self._on_error, Threshold) else 0
        stops = self._on_error != "continue" and bad > allowed
        return f"{bad} of the items before it failed" if stops else ""

    @property
    def _on_error(self) -> str | Threshold:
        return self._step.on_error or self._tool.default_on_error

    def _verdict(self, reports: Sequence[RowReport]) -> tuple[StepState, str]:
        items = len(reports)
        missing = [report for report in reports if report.state is not StepState.DONE]
        failed = [report for report in missing if report.state is not StepState.NOT_RUN]
        doubts = sum(report.state is StepState.NEEDS_REVIEW for report in failed)
        if doubts:
            return StepState.NEEDS_REVIEW, f"{doubts} of {items} items are in doubt"
        if not missing:
            return StepState.DONE, "" if items else "0 items"
        reason = f"{len(failed)} of {items} items failed, {len(missing) - len(failed)} not run: {missing[0].reason}"
        if isinstance(self._on_error, Threshold) and len(missing) == len(failed) <= self._on_error.failures:
            return StepState.DONE, reason
        return (StepState.FAILED if len(missing) == items else StepState.PARTIAL), reason

    async def _one(self, inputs: Inputs, item: int, enough: Callable[[], str] = lambda: "") -> RowReport:
        past = self._context.past.get((self._step.id, item))
        if past is not None and past.state is StepState.DONE:
            return past
        if past is not None and past.state is StepState.RUNNING and not self._tool.safe_to_repeat:
            return await self._ends.failed(item, inputs, self._doubt("the program ended"), StepState.NEEDS_REVIEW)
        async with self._context.slots[self._service.name]:
            closed = self._context.closed() or enough()
            if closed:
                raise NotBegun(closed)
            return await self._attempts(inputs, item)

    async def _attempts(self, inputs: Inputs, item: int) -> RowReport:
        started: tuple[Event, ...] = (StepStarted(self._step.id, self._step.tool, item, inputs),)
        if self._tool.effect not in ("none", "song"):
            intent = self._ends.report(item, StepState.RUNNING, inputs)
            await self._context.journal.note(Report((intent,), started))
            started = ()
        attempt = 0
        while True:
            song = self._context.door.song
            try:
                outcome = await self._outcome(inputs, item, song)
                self._refuse_locked(song, outcome)
            except InDoubt as doubt:
                return await self._ends.failed(item, inputs, doubt, StepState.NEEDS_REVIEW, started)
            except ServiceError as problem:
                attempt += 1
                if not problem.transient or attempt > self._step.retry:
                    return await self._ends.failed(item, inputs, problem, before=started)
                await self._wait(attempt, item, problem, started)
                started = ()
            except BandleaderError as problem:
                if problem.blame is Blame.CANCELLED and self._context.cancellation.requested():
                    raise NotBegun("cancelled") from None
                return await self._ends.failed(item, inputs, problem, before=started)
            else:
                return await self._stored(inputs, item, outcome, started)

    async def _wait(self, attempt: int, item: int, problem: ServiceError, before: tuple[Event, ...]) -> None:
        """1, 2, 4 s with up to a quarter more, so that retries of many rows spread out."""
        seconds = 2 ** (attempt - 1) * (1 + random.random() / 4)
        event = Retrying(self._step.id, attempt, round(seconds, 2), problem.what, item)
        await self._context.journal.note(Report((), (*before, event)))
        if await self._context.cancellation.pause(seconds):
            raise NotBegun("cancelled")

    async def _stored(
        self, inputs: Inputs, item: int, outcome: Outcome, started: tuple[Event, ...]
    ) -> RowReport:
        """Keep what the call came to. A fault of the store itself is not the row's: it ends the run."""
        report = self._ends.report(item, StepState.DONE, inputs, outcome.result)
        done = Report((report,), (*started, StepDone(self._step.id, item, outcome.result)))
        if not outcome.edits:
            await self._context.journal.note(done)
            return report
        try:
            await self._context.door.commit(outcome.edits, done)
        except SongMoved as moved:
            return await self._ends.failed(item, inputs, moved, StepState.NEEDS_REVIEW, started)
        except SongError as problem:
            return await self._ends.failed(item, inputs, problem, before=started)
        return report

    async def _outcome(self, inputs: Inputs, item: int, song: Song) -> Outcome:
        if not self._tool.pure:
            return await self._call(inputs, item, song)
        key = msgspec.json.encode((self._tool.name, inputs), order="sorted")
        read_from, result = self._context.cache.get(key, (None, None))
        if read_from is song:
            return Outcome(result)
        outcome = await self._call(inputs, item, song)
        self._context.cache[key] = (song, outcome.result)
        return outcome

    async def _call(self, inputs: Inputs, item: int, song: Song) -> Outcome:
        """The service's own work, ended by its time limit or by a cancel that it does not heed."""
        context = self._context
        origin = Origin(context.plan_hash, self._step.id, item, context.run)
        call = Call(
            self._step.tool, inputs, song, origin, context.plan.project, context.cancellation.requested,
            lambda share, text: context.journal.tell(StepProgress(self._step.id, share, text)),
        )
        seconds = self._step.timeout or self._tool.timeout
        task = asyncio.current_task()
        assert task is not None
        context.calls.add(task)
        try:
            async with asyncio.timeout(seconds):
                return await called(self._service, call)
        except TimeoutError:
            if self._is_unsafe:
                raise self._doubt(f"its {seconds:g} s had passed") from None
            raise ServiceError(f"{self._step.tool} took longer than {seconds:g} s", transient=True) from None
        except asyncio.CancelledError:
            if not context.cancellation.requested():
                raise
            task.uncancel()
            if self._is_unsafe:
                raise self._doubt("it was cancelled") from None
            raise NotBegun("cancelled") from None
        finally:
            context.calls.discard(task)

    @property
    def _is_unsafe(self) -> bool:
        """Whether a call that was broken off may have had an effect that must not be had twice."""
        return self._tool.effect not in ("none", "song") and not self._tool.safe_to_repeat

    def _doubt(self, when: str) -> InDoubt:
        return InDoubt(f"{self._step.tool} had begun when {when}: it may or may not have happened")

    def _refuse_locked(self, song: Song, outcome: Outcome) -> None:
        if not self._context.plan.locks:
            return
        lock = broken(self._context.plan.locks, song, apply_all(song, outcome.edits))
        if lock is not None:
            raise ServiceError(f"the row would change {describe(lock, song)}, which is locked")
