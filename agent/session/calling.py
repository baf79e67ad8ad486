"""One call of a service: within its time, its place among others, after all that was noted before, and checked."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Coroutine, Generator
from typing import Any, TypeVar

import msgspec

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.pins import unpinned
from agent.plan.plan import Inputs, Step
from agent.plan.tool import ToolSpec
from agent.services.results import checked
from agent.services.service import Broken, Call, InDoubt, Origin, Outcome, Probing, Service, ServiceError, called
from agent.session.cancellation import WorkCancelled
from agent.session.events import StepProgress
from agent.session.row_context import NotBegun, RowContext
from agent.session.worker import one_line
from agent.song.song import Song

T = TypeVar("T")


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Await the work and return its result; after `seconds` it is cancelled and `TimeoutError` raised.

    It begins at once in the task of the caller, and work that never waits needs no timer, which costs as much as a
    small edit."""
    try:
        awaited = work.send(None)
    except StopIteration as ended:
        result: T = ended.value
        return result
    async with asyncio.timeout(seconds):
        return await _Begun(work, awaited)


class _Begun(Awaitable[T]):
    """A coroutine that was begun by hand and waits for something, awaited from there on."""

    def __init__(self, work: Coroutine[Any, Any, T], awaited: Any) -> None:
        self._work = work
        self._awaited = awaited

    def __await__(self) -> Generator[Any, Any, T]:
        awaited = self._awaited
        try:
            while True:
                try:
                    sent = yield awaited
                except GeneratorExit:
                    self._work.close()
                    raise
                except BaseException as thrown:
                    awaited = self._work.throw(thrown)
                else:
                    awaited = self._work.send(sent)
        except StopIteration as ended:
            result: T = ended.value
            return result


_PROBE = 30.0
"""Seconds that a service has to tell whether a call had its effect."""
_PROBE_WHEN_CANCELLED = 0.4


class ToolChanged(InDoubt):
    """The tool of a row is not the one that it was approved with."""


class Caller:
    """Calls the tool of one row. `tool` is the tool as it was when the run began."""

    def __init__(self, step: Step, tool: ToolSpec, context: RowContext) -> None:
        self._step = step
        self._tool = tool
        self._context = context

    @property
    def leaves_the_song(self) -> bool:
        """Whether a call may have effects outside the song, which no version restores: its intent is stored before
        it."""
        return self._tool.effect not in ("none", "song")

    @property
    def repeatable(self) -> bool:
        """Whether an interrupted call may simply be repeated."""
        return self._tool.safe_to_repeat or self._tool.only_reads or not self.leaves_the_song

    def service(self) -> Service:
        """The service that owns the tool now. Raises `ToolChanged` if the tool is not the approved one any more, and
        `ServiceError` if its service does not exist."""
        tools = self._context.registry.tools
        if self._tool.name not in tools:
            raise ServiceError(
                msg("the service {service} is not there any more", service=self._tool.service),
                fix=msg("add it, then try again"),
            )
        if tools[self._tool.name] is not self._tool:
            changed = unpinned((self._step,), self._context.plan.pins, tools)
            if changed:
                raise ToolChanged(changed[self._step.id])
        return self._context.registry.owner(self._tool.name)

    async def outcome(self, inputs: Inputs, item: int, song: Song) -> Outcome:
        """The outcome of a call on `song`, from the cache if the tool is pure; `item` is the index in a fan-out, -1 for
        a row without. If it is not known whether an interrupted call had its effect, the service is asked once.

        Raises `ServiceError`, `InDoubt` if only a person can tell, and `NotBegun` for a call that was cancelled.
        """
        if not self._tool.pure or self._tool.effect != "none" or self._tool.changes_song:
            return await self._made(inputs, item, song)
        key = msgspec.json.encode((self._tool.name, self._tool.version, inputs), order="sorted")
        read_from, result = self._context.cache.get(key, (None, None))
        if read_from is song:
            return Outcome(result)
        outcome = await self._made(inputs, item, song)
        self._context.cache[key] = (song, outcome.result)
        return outcome

    async def probed(self, inputs: Inputs, item: int, doubt: str) -> Outcome | None:
        """The outcome of an interrupted call, which its service is asked for; None if the call had no effect. `item` is
        the index in a fan-out, -1 for a row without. If the outcome is not known, raises `InDoubt` with the text
        `doubt`."""
        try:
            service = self.service()
        except ServiceError as problem:
            raise InDoubt(doubt, why=str(problem)) from None
        if not self._tool.probes or not isinstance(service, Probing):
            raise InDoubt(doubt)
        cancellation = self._context.cancellation
        call = self._call(inputs, item, self._context.door.song)
        try:
            if cancellation.requested():
                found = await asyncio.wait_for(service.probe(call), _PROBE_WHEN_CANCELLED)
            else:
                found = await asyncio.wait_for(cancellation.race(service.probe(call)), _PROBE)
            return None if found is None else checked(self._tool, found)
        except (TimeoutError, WorkCancelled):
            raise InDoubt(doubt) from None
        except BandleaderError as problem:
            raise InDoubt(doubt, why=str(problem)) from None
        except Exception as fault:
            raise InDoubt(doubt, why=one_line(f"{type(fault).__name__}: {fault}")) from fault

    async def _made(self, inputs: Inputs, item: int, song: Song) -> Outcome:
        try:
            return await self._in_time(inputs, item, song)
        except ToolChanged:
            raise
        except InDoubt as doubt:
            if self.repeatable:
                raise self._failure(doubt) from None
            found = await self.probed(inputs, item, str(doubt))
            if found is not None:
                return found
            raise self._failure(doubt) from None

    def _failure(self, doubt: InDoubt) -> ServiceError | NotBegun:
        """What is left of a doubt once it is known that the effect is not there, or may be had again."""
        if self._context.cancellation.requested():
            return NotBegun("cancelled")
        return ServiceError(doubt.said.what, why=doubt.said.why, fix=doubt.fix, transient=doubt.transient)

    async def _in_time(self, inputs: Inputs, item: int, song: Song) -> Outcome:
        """The service's own work, ended by its time limit or by a cancel that it does not heed."""
        context = self._context
        service = self.service()
        if self.leaves_the_song:
            # Nothing leaves the program before all that led to it is stored.
            await context.journal.settled()
        seconds = self._step.timeout or self._tool.timeout
        task = asyncio.current_task()
        assert task is not None
        context.calls.add(task)
        try:
            outcome = await within(seconds, called(service, self._call(inputs, item, song)))
        except TimeoutError:
            raise self._broken_off(f"took longer than {seconds:g} s", f"its {seconds:g} s had passed") from None
        except asyncio.CancelledError:
            if not context.cancellation.requested():
                raise
            task.uncancel()
            raise self._broken_off("was cancelled", "it was cancelled") from None
        except Broken as fault:
            if self.repeatable:
                raise
            raise InDoubt(
                msg("{what}: its effect may or may not be there", what=fault.said.what), why=fault.said.why,
            ) from None
        finally:
            context.calls.discard(task)
        return self._checked(outcome)

    def _checked(self, outcome: Outcome) -> Outcome:
        try:
            return checked(self._tool, outcome)
        except ServiceError as problem:
            if self.repeatable:
                raise
            raise InDoubt(msg("{problem}: its effect may be there", problem=problem)) from None

    def _broken_off(self, what: str, when: str) -> InDoubt:
        if self.repeatable:
            return InDoubt(msg("{tool} {what}", tool=self._tool.name, what=what), transient=True)
        told = msg("{tool} had begun when {when}: it may or may not have happened", tool=self._tool.name, when=when)
        return InDoubt(told, transient=True)

    def _call(self, inputs: Inputs, item: int, song: Song) -> Call:
        context = self._context
        origin = Origin(context.plan_hash, self._step.id, item, context.run)

        def progress(share: float, text: str) -> None:
            known = min(max(float(share), 0.0), 1.0) if math.isfinite(share) else 0.0
            context.journal.tell(StepProgress(self._step.id, known, one_line(text, 200), item))

        return Call(
            self._step.tool, inputs, song, origin, context.plan.project, context.cancellation.requested, progress,
        )
