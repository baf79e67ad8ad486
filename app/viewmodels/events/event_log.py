"""The events of one run, as a window lists them: loaded from what is stored, and followed while it runs."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from agent.plan.document import Plan
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.storage.records import Event as StoredEvent
from app.studio.observable import Observable
from app.studio.running.runs import Runs
from app.viewmodels.events.event_lines import EventLine, event_line
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.running import Running
from app.viewmodels.unawaited import Begin
from app.viewmodels.watched import Watched

_EVERY = 0.1
"""Seconds between two reads of stored events; a read for every event would keep the database from the run."""
_IN_THREAD = 200


class RunChoice(Struct, frozen=True):
    """A run of the project that can be chosen; `at` is ISO 8601, UTC."""

    run: RunId
    request: str
    state: RunState
    at: str


class RowName(Struct, frozen=True):
    """Number and title of a row of the run whose events are listed; `step` is its id."""

    step: str
    number: int
    title: str


class EventLog:
    """The events of the run that the plan shows, else of the newest run, or of the one that was `choose`d. `begin`
    starts background work."""

    def __init__(
        self, runs: Runs, running: Running, begin: Begin
    ) -> None:
        self._runs = runs
        self._running = running
        self._begin = begin
        self._wanted = False
        self._reading = False
        self._kept = False
        self._closed = False
        self.lines: list[EventLine] = []
        self.rows: tuple[RowName, ...] = ()
        """The rows of the run, in the order of its plan."""
        self.run: Watched[RunId | None] = Watched(None)
        self.choices: Watched[tuple[RunChoice, ...]] = Watched(())
        """The runs of the project, newest first."""
        self.grown: Observable[int] = Observable()
        """Emits the index from which on lines were added; 0 also if all lines are others."""
        self._silencers = [
            running.live.changed.listen(self._shown),
            runs.events.listen(lambda _: self.look()),
            runs.changed.listen(lambda _: self.look()),
        ]

    def close(self) -> None:
        """End all subscriptions."""
        self._closed = True
        for silence in self._silencers:
            silence()

    def look(self) -> None:
        """Read new events soon."""
        self._wanted = True
        if not self._reading and not self._closed:
            self._reading = True
            self._begin(self._read)

    def choose(self, run: RunId) -> None:
        """List the events of this run, whichever the plan shows, until another run begins."""
        self._kept = True
        self._take(run)

    def number_of(self, step: str) -> int:
        """The number of a row in the plan by its step's id; 0 if the plan does not have it."""
        return next((row.number for row in self.rows if row.step == step), 0)

    def _shown(self, live: LiveRun | None) -> None:
        if live is None:
            return
        if live.running or not self._kept:
            self._kept = self._kept and live.run == self.run.value
            self._take(live.run)

    def _take(self, run: RunId) -> None:
        if run == self.run.value:
            return
        self.lines, self.rows = [], ()
        self.run.set(run)
        self.grown.emit(0)
        self.look()

    async def _read(self) -> None:
        try:
            while self._wanted and not self._closed:
                self._wanted = False
                await self._read_runs()
                await self._read_news()
                await asyncio.sleep(_EVERY)
        finally:
            self._reading = False

    async def _read_runs(self) -> None:
        found = await self._runs.all(self._running.project)
        choices = tuple(RunChoice(one.id, one.request, RunState(one.state), one.created) for one in found)
        self.choices.set(choices)
        if choices and (self.run.value is None or not (self._kept or self._running.live.value)):
            self._take(choices[0].run)

    async def _read_news(self) -> None:
        run = self.run.value
        if run is None:
            return
        plan = None if self.rows else (await self._runs.show(run)).plan
        known = len(self.lines)
        _, events = await self._runs.news(run, self.lines[-1].number if self.lines else 0)
        lines = await asyncio.to_thread(_told, events) if len(events) > _IN_THREAD else _told(events)
        if run != self.run.value:
            self._wanted = True
            return
        if plan is not None:
            self.rows = self._named(run, plan)
        if lines or plan is not None:
            self.lines += lines
            self.grown.emit(known)

    def _named(self, run: RunId, plan: Plan) -> tuple[RowName, ...]:
        """Rows have the numbers that the plan's table gives them, which may show rejected rows too."""
        live = self._running.live.value
        shown = plan
        if live is not None and live.run == run and live.proposal is not None:
            shown = live.proposal.whole.plan
        ran = {step.id for step in plan.steps}
        return tuple(
            RowName(step.id, number, " ".join((step.title or step.tool).split()))
            for number, step in enumerate(shown.steps, 1) if step.id in ran
        )


def _told(events: tuple[StoredEvent, ...]) -> list[EventLine]:
    return [event_line(event) for event in events]
