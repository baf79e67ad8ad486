"""One row or one item of a fan-out: begun, called, tried again, committed; every way it can end is a report."""

from __future__ import annotations

import random
from collections.abc import Callable

from agent.errors import BandleaderError, Blame
from agent.message import msg
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Step
from agent.plan.tool import ToolSpec
from agent.services.service import InDoubt, Outcome, ServiceError
from agent.session.calling import Caller
from agent.session.events import Event, Retrying, StepDone, StepStarted
from agent.session.ports import Report, RowReport, SongMoved
from agent.session.row_context import NotBegun, RowContext, RowEnds
from agent.song.apply import apply_all
from agent.song.errors import SongError
from agent.song.song import Song


class Attempts:
    """Executes single calls of one row, with retries, each to its end."""

    def __init__(self, step: Step, tool: ToolSpec, context: RowContext, ends: RowEnds) -> None:
        self._step = step
        self._context = context
        self._caller = Caller(step, tool, context)
        self._ends = ends

    async def one(
        self, inputs: Inputs, item: int, of: int = 0, enough: Callable[[], str] = lambda: ""
    ) -> RowReport:
        """Execute the row, or item `item` of a fan-out over `of` items (0: no fan-out); `enough` returns why it may not
        begin now, "" if it may.

        What has ended in an earlier part of the run is returned unchanged, and what was left running is resumed with
        its inputs. Raises `Rests` or `NotBegun` if nothing was done.
        """
        past = self._context.past.get((self._step.id, item))
        if past is not None and past.state.ended:
            return past
        left_running = past is not None and past.state is StepState.RUNNING
        inputs = past.inputs if past is not None and left_running else inputs
        if self._context.resting() or not left_running:
            self._context.refuse_new()
        if suspicion := self._context.suspects.get(self._step.id):
            return await self._suspect(item, inputs, suspicion, left_running)
        try:
            slot = self._context.slot(self._caller.service())
        except ServiceError as problem:
            return await self._unowned(item, inputs, problem, left_running)
        async with slot:
            if left_running and not self._caller.repeatable:
                found = await self._taken_up(inputs, item)
                if found is not None:
                    return found
            self._context.refuse_new()
            if reason := enough():
                raise NotBegun(reason)
            return await self._attempts(inputs, item, of)

    async def _suspect(self, item: int, inputs: Inputs, suspicion: str, left_running: bool) -> RowReport:
        began = "it had begun when the program ended, and " if left_running else ""
        return await self._ends.doubtful(item, inputs, began + suspicion)

    async def _unowned(self, item: int, inputs: Inputs, problem: ServiceError, left_running: bool) -> RowReport:
        """The tool is another one or gone since the run began."""
        if left_running and not self._caller.repeatable:
            return await self._suspect(item, inputs, str(problem), left_running)
        state = StepState.NEEDS_REVIEW if isinstance(problem, InDoubt) else StepState.FAILED
        return await self._ends.failed(item, inputs, problem, state)

    async def _taken_up(self, inputs: Inputs, item: int) -> RowReport | None:
        """The end of a call that the program's own end broke off; None if it has had no effect."""
        doubt = f"{self._step.tool} had begun when the program ended: it may or may not have happened"
        try:
            found = await self._caller.probed(inputs, item, doubt)
        except ServiceError as problem:
            return await self._ends.doubtful(item, inputs, str(problem))
        return None if found is None else await self._stored(inputs, item, self._context.door.song, found, ())

    async def _attempts(self, inputs: Inputs, item: int, of: int) -> RowReport:
        started: tuple[Event, ...] = (StepStarted(self._step.id, self._step.tool, item, inputs, of),)
        if self._caller.leaves_the_song:
            self._context.begun.add(self._step.id)
            intent = self._ends.report(item, StepState.RUNNING, inputs)
            await self._context.journal.note(Report((intent,), started))
            started = ()
        attempt = 0
        while True:
            song = self._context.door.song
            try:
                outcome = await self._caller.outcome(inputs, item, song)
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
                return await self._stored(inputs, item, song, outcome, started)

    async def _wait(self, attempt: int, item: int, problem: ServiceError, before: tuple[Event, ...]) -> None:
        """1, 2, 4 s with up to a quarter more, so that retries of many rows spread out."""
        seconds = 2 ** (attempt - 1) * (1 + random.random() / 4)
        event = Retrying(self._step.id, attempt, round(seconds, 2), problem.what, item)
        await self._context.journal.note(Report((), (*before, event)))
        if await self._context.cancellation.pause(seconds):
            raise NotBegun("cancelled")

    async def _stored(
        self, inputs: Inputs, item: int, song: Song, outcome: Outcome, started: tuple[Event, ...]
    ) -> RowReport:
        """Keep what the call came to. A fault of the store itself is not the row's: it ends the run."""
        self._context.held.add(outcome.result)
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
        except (TypeError, AttributeError, ValueError, LookupError) as fault:
            if not _breaks(song, outcome):
                raise
            why = f"{type(fault).__name__}: {fault}"[:400]
            unfit = ServiceError(msg("the edits of {tool} cannot be applied", tool=self._step.tool), why=why)
            return await self._ends.failed(item, inputs, unfit, before=started)
        return report

    def _refuse_locked(self, song: Song, outcome: Outcome) -> None:
        kept = self._context.kept
        if not (kept.locks or kept.fence) or not outcome.edits:
            return
        refusal = kept.refusal(song, apply_all(song, outcome.edits))
        if refusal:
            raise ServiceError(msg("the row would change {refusal}", refusal=refusal))


def _breaks(song: Song, outcome: Outcome) -> bool:
    """Whether the edits themselves are what cannot be applied, and not the store that failed."""
    try:
        apply_all(song, outcome.edits)
    except (TypeError, AttributeError, ValueError, LookupError):
        return True
    return False
