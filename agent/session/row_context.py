"""What all rows of a run share, and how a row's end is told and stored."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field

from agent.errors import BandleaderError
from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Json, Step
from agent.review.fenced import Closed
from agent.services.registry import Registry
from agent.services.service import InDoubt, Service
from agent.session.cancellation import Cancellation
from agent.session.events import Event, StepFailed, StepSkipped
from agent.session.ports import ROW, Journal, Report, RowReport, SongDoor
from agent.session.spending import Spending
from agent.session.worker import Worker
from agent.song.song import Song

MOST_HELD = 128_000_000
"""Most bytes of all results of a run, as stored."""


class HeldResults:
    """Counts the size of the results of one run."""

    def __init__(self, most: int = MOST_HELD) -> None:
        self._most = most
        self._held = 0

    def add(self, result: Json) -> None:
        """Count a result that is kept until the run ends."""
        self._held += len(msgspec.json.encode(result))

    @property
    def full(self) -> str:
        """Why no further call may begin; empty if it may."""
        return f"the results of this run hold more than {self._most:,} bytes" if self._held > self._most else ""


Cache: TypeAlias = dict[bytes, tuple[Song, Json]]
"""Results of pure tools by tool, version and inputs, each with the song that it was computed from."""
Past: TypeAlias = Mapping[tuple[str, int], RowReport]
"""Reports of an earlier part of the same run, by step and item."""


class NotBegun(Exception):
    """The row did not begin, or was cancelled; nothing of it was committed. The text is the reason."""


class Rests(Exception):
    """The row or item has not begun, because a pause was requested."""


class RowContext(Struct, frozen=True):
    """State that all rows of a run share."""

    run: str
    plan: Plan
    places: Mapping[str, int]
    """Index of each row in the plan, by step id."""
    plan_hash: str
    registry: Registry
    journal: Journal
    door: SongDoor
    cancellation: Cancellation
    past: MutableMapping[tuple[str, int], RowReport]
    begun: set[str]
    """Rows of which an earlier part of this run did something, or may have."""
    suspects: Mapping[str, str]
    """Rows whose tool is not the approved one, with the reason."""
    closed: Callable[[], str]
    """Returns why no new call may begin; empty if it may."""
    kept: Closed
    """What no row may change."""
    cache: Cache = field(default_factory=dict)
    calls: set[asyncio.Task[Any]] = field(default_factory=set)
    """Tasks that are inside a service's call; only these may be interrupted."""
    worker: Worker | None = None
    """Works on rows with a goal; None if nobody does."""
    spending: Spending = field(default_factory=Spending)
    slots: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    held: HeldResults = field(default_factory=HeldResults)

    def slot(self, service: Service) -> asyncio.Semaphore:
        """The semaphore that limits concurrent calls of a service."""
        if service.name not in self.slots:
            self.slots[service.name] = asyncio.Semaphore(max(1, service.limit))
        return self.slots[service.name]

    def resting(self) -> bool:
        """Whether a pause was requested, so that nothing new may begin; False if a stop was requested."""
        return self.cancellation.held() and not self.cancellation.requested()

    def refuse_new(self) -> None:
        """Raise `Rests` or `NotBegun` if no call may begin."""
        if self.resting():
            raise Rests
        if reason := self.closed() or self.held.full:
            raise NotBegun(reason)


def idempotency_key(run: str, plan_hash: str, step: str, item: int) -> str:
    """SHA-256 of (run, hash, step, item), under which an effect is never made twice."""
    return hashlib.sha256(f"{run}\x1f{plan_hash}\x1f{step}\x1f{item}".encode()).hexdigest()


class RowEnds:
    """Makes and stores reports of one row's ends."""

    def __init__(self, step: Step, context: RowContext) -> None:
        self._step = step
        self._context = context

    def report(
        self, item: int, state: StepState, inputs: Inputs, result: Json = None, reason: str = ""
    ) -> RowReport:
        """A report of the row or item in this `state`, with its `result`, and the `reason` if it failed or was skipped;
        nothing is stored."""
        key = idempotency_key(self._context.run, self._context.plan_hash, self._step.id, item)
        place = self._context.places[self._step.id]
        return RowReport(self._step.id, place, self._step.tool, state, key, item, inputs, result, reason)

    async def doubtful(self, item: int, inputs: Inputs, why: str) -> RowReport:
        """Store that a person must decide about the row or item; returns the report."""
        return await self.failed(item, inputs, InDoubt(why), StepState.NEEDS_REVIEW)

    async def failed(
        self, item: int, inputs: Inputs, problem: BandleaderError, state: StepState = StepState.FAILED,
        before: tuple[Event, ...] = (),
    ) -> RowReport:
        """Store that the row or item failed, or with another `state` needs review, with the events `before`; returns
        the report."""
        report = self.report(item, state, inputs, reason=str(problem))
        event = StepFailed(self._step.id, report.reason, item, state.value)
        await self._context.journal.note(Report((report,), (*before, event)))
        return report

    async def skipped(self, reason: str) -> RowReport:
        """Store that the row's own condition left it out; returns the report."""
        report = self.report(ROW, StepState.SKIPPED, {}, reason=reason)
        await self._context.journal.note(Report((report,), (StepSkipped(self._step.id, reason),)))
        return report
