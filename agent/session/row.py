"""Running one approved row: bind, call its service, commit, retry; every way it can end is a report."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Coroutine, Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct

from agent.errors import BandleaderError
from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Json, Step, Threshold
from agent.plan.tool import ToolSpec
from agent.services.binding import Bound, bind, gathered
from agent.services.registry import Registry
from agent.services.service import Call, Origin, Outcome, Service, ServiceError
from agent.session.cancellation import Cancellation
from agent.session.events import Retrying, StepDone, StepFailed, StepProgress, StepSkipped, StepStarted
from agent.session.ports import ROW, Journal, Report, RowReport, SongDoor, SongMoved
from agent.song.apply import apply_all
from agent.song.locks import broken, describe
from agent.song.song import Song

Cache: TypeAlias = dict[bytes, Json]
Past: TypeAlias = Mapping[tuple[str, int], RowReport]
"""Reports of an earlier part of the same run, by step and item."""


class Cancelled(Exception):
    """The row stopped because someone asked; nothing of it was committed."""


class RowContext(Struct, frozen=True):
    """What all rows of a run share."""

    run: str
    plan: Plan
    plan_hash: str
    registry: Registry
    journal: Journal
    door: SongDoor
    cancellation: Cancellation
    slots: Mapping[str, asyncio.Semaphore]
    past: Past
    cache: Cache


def idempotency_key(run: str, plan_hash: str, step: str, item: int) -> str:
    """SHA-256 of (run, hash, step, item): the same effect is never made twice under it."""
    return hashlib.sha256(f"{run}\x1f{plan_hash}\x1f{step}\x1f{item}".encode()).hexdigest()


class RowRunner:
    """Runs one step to its end."""

    def __init__(self, step: Step, context: RowContext) -> None:
        self._step = step
        self._context = context
        self._tool: ToolSpec = context.registry.tools[step.tool]
        self._service: Service = context.registry.owner(step.tool)

    async def run(self, results: Mapping[str, Json]) -> RowReport:
        """Run the row after the given results. Raises `Cancelled` if nothing of it was done."""
        try:
            bound = bind(self._step, results)
        except BandleaderError as problem:
            return await self._failed(ROW, {}, problem)
        if bound.skipped:
            return await self._skipped(bound.skipped)
        if not bound.fan_out:
            return await self._one(bound.calls[0], ROW)
        return await self._fan_out(bound)

    async def _fan_out(self, bound: Bound) -> RowReport:
        """All items: in order where they change the song, else side by side within the service's limit."""
        jobs = [self._one(inputs, item) for item, inputs in enumerate(bound.calls)]
        if self._tool.changes_song:
            reports = await self._in_turn(jobs)
        else:
            reports = await self._side_by_side(jobs)
        failed = [report for report in reports if report.state is not StepState.DONE]
        done = [report.result for report in reports if report.state is StepState.DONE]
        state, reason = self._verdict(len(bound.calls), failed)
        report = self._report(ROW, state, self._step.inputs, gathered(bound, done), reason)
        event = (
            StepDone(self._step.id, result={"items": len(done)})
            if state is StepState.DONE
            else StepFailed(self._step.id, reason, state=state.value)
        )
        await self._context.journal.note(Report((report,), (event,)))
        return report

    async def _side_by_side(self, jobs: list[Coroutine[None, None, RowReport]]) -> list[RowReport]:
        ends = await asyncio.gather(*jobs, return_exceptions=True)
        if ends and all(isinstance(end, Cancelled) for end in ends):
            raise Cancelled
        reports = []
        for item, end in enumerate(ends):
            if isinstance(end, RowReport):
                reports.append(end)
            elif isinstance(end, Cancelled):
                reports.append(self._report(item, StepState.NOT_RUN, {}, reason="cancelled"))
            else:
                raise end
        return reports

    async def _in_turn(self, jobs: list[Coroutine[None, None, RowReport]]) -> list[RowReport]:
        reports: list[RowReport] = []
        for number, job in enumerate(jobs):
            if reports and reports[-1].state is not StepState.DONE and self._on_error == "stop":
                job.close()
                reports.append(self._report(number, StepState.NOT_RUN, {}, None, "an item before it failed"))
                continue
            try:
                reports.append(await job)
            except Cancelled:
                if not reports:
                    for rest in jobs[number + 1 :]:
                        rest.close()
                    raise
                reports.append(self._report(number, StepState.NOT_RUN, {}, None, "cancelled"))
        return reports

    @property
    def _on_error(self) -> str | Threshold:
        return self._step.on_error or self._tool.default_on_error

    def _verdict(self, items: int, failed: list[RowReport]) -> tuple[StepState, str]:
        if any(report.state is StepState.NEEDS_REVIEW for report in failed):
            return StepState.NEEDS_REVIEW, f"{len(failed)} of {items} items are in doubt"
        if not failed:
            return StepState.DONE, "" if items else "0 items"
        reason = f"{len(failed)} of {items} items failed: {failed[0].reason}"
        if isinstance(self._on_error, Threshold) and len(failed) <= self._on_error.failures:
            return StepState.DONE, reason
        return (StepState.FAILED if len(failed) == items else StepState.PARTIAL), reason

    async def _one(self, inputs: Inputs, item: int) -> RowReport:
        past = self._context.past.get((self._step.id, item))
        if past is not None and past.state is StepState.DONE:
            return past
        if past is not None and past.state is StepState.RUNNING and not self._tool.safe_to_repeat:
            return await self._in_doubt(item, inputs)
        async with self._context.slots[self._service.name]:
            return await self._attempts(inputs, item)

    async def _attempts(self, inputs: Inputs, item: int) -> RowReport:
        attempt = 0
        while True:
            if self._context.cancellation.requested():
                raise Cancelled
            try:
                return await self._attempt(inputs, item)
            except SongMoved as moved:
                return await self._failed(item, inputs, moved, StepState.NEEDS_REVIEW)
            except ServiceError as problem:
                attempt += 1
                if not problem.transient or attempt > self._step.retry:
                    return await self._failed(item, inputs, problem)
                await self._wait(attempt, item, problem)
            except BandleaderError as problem:
                return await self._failed(item, inputs, problem)

    async def _wait(self, attempt: int, item: int, problem: ServiceError) -> None:
        """1, 2, 4 s with up to a quarter more, so that retries of many rows spread out."""
        seconds = 2 ** (attempt - 1) * (1 + random.random() / 4)
        event = Retrying(self._step.id, attempt, round(seconds, 2), problem.what, item)
        await self._context.journal.note(Report((), (event,)))
        if await self._context.cancellation.pause(seconds):
            raise Cancelled

    async def _attempt(self, inputs: Inputs, item: int) -> RowReport:
        started = StepStarted(self._step.id, self._step.tool, item, inputs)
        door = self._context.door
        if self._tool.effect not in ("none", "song"):
            intent = self._report(item, StepState.RUNNING, inputs)
            await self._context.journal.note(Report((intent,), (started,)))
            events: tuple[StepStarted, ...] = ()
        else:
            events = (started,)
        song = door.song
        outcome = await self._outcome(inputs, item, song)
        report = self._report(item, StepState.DONE, inputs, outcome.result)
        done = Report((report,), (*events, StepDone(self._step.id, item, outcome.result)))
        if outcome.edits:
            self._refuse_locked(song, outcome)
            await door.commit(outcome.edits, done)
        else:
            await self._context.journal.note(done)
        return report

    async def _outcome(self, inputs: Inputs, item: int, song: Song) -> Outcome:
        key = msgspec.json.encode((self._tool.name, inputs), order="sorted") + str(id(song)).encode()
        if self._tool.pure and key in self._context.cache:
            return Outcome(self._context.cache[key])
        context = self._context
        origin = Origin(context.plan_hash, self._step.id, item, context.run)
        call = Call(
            self._step.tool, inputs, song, origin, context.plan.project, context.cancellation.requested,
            lambda share, text: context.journal.tell(StepProgress(self._step.id, share, text)),
        )
        seconds = self._step.timeout or self._tool.timeout
        try:
            outcome = await asyncio.wait_for(self._service.call(call), seconds)
        except TimeoutError:
            raise ServiceError(f"{self._step.tool} took longer than {seconds:g} s", transient=True) from None
        if self._tool.pure:
            context.cache[key] = outcome.result
        return outcome

    def _refuse_locked(self, song: Song, outcome: Outcome) -> None:
        if not self._context.plan.locks:
            return
        lock = broken(self._context.plan.locks, song, apply_all(song, outcome.edits))
        if lock is not None:
            raise ServiceError(f"the row would change {describe(lock, song)}, which is locked")

    async def _failed(
        self, item: int, inputs: Inputs, problem: BandleaderError, state: StepState = StepState.FAILED
    ) -> RowReport:
        report = self._report(item, state, inputs, reason=str(problem))
        event = StepFailed(self._step.id, report.reason, item, state.value)
        await self._context.journal.note(Report((report,), (event,)))
        return report

    async def _in_doubt(self, item: int, inputs: Inputs) -> RowReport:
        why = ServiceError(f"{self._step.tool} had begun when the program ended: it may or may not have happened")
        return await self._failed(item, inputs, why, StepState.NEEDS_REVIEW)

    async def _skipped(self, reason: str) -> RowReport:
        report = self._report(ROW, StepState.SKIPPED, {}, reason=reason)
        await self._context.journal.note(Report((report,), (StepSkipped(self._step.id, reason),)))
        return report

    def _report(
        self, item: int, state: StepState, inputs: Inputs, result: Json = None, reason: str = ""
    ) -> RowReport:
        key = idempotency_key(self._context.run, self._context.plan_hash, self._step.id, item)
        return RowReport(self._step.id, self._step.tool, state, key, item, inputs, result, reason)
