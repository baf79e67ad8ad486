"""Tables of the plan: short ones at once, the rows of long ones read in a thread while the window goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from app.desktop.review.live_run import LiveRun
from app.desktop.review.proposal import Proposal
from app.desktop.review.taken_back import TakenBack
from app.desktop.table.plan_rows import PlanTable
from app.desktop.table.row_reader import RowReader
from app.ui.kit.tasks import Tasks

AT_ONCE = 120
"""Rows that are read within a frame."""


class Reading:
    """Hands tables out; `read` is called when one can be made that could not be before."""

    def __init__(self, reader: RowReader, tasks: Tasks, read: Callable[[], None]) -> None:
        self._reader = reader
        self._tasks = tasks
        self._read = read
        self._busy = False
        self._closed = False

    def close(self) -> None:
        """Tell of nothing more."""
        self._closed = True

    def proposal(self, proposal: Proposal) -> PlanTable | None:
        """The table of a plan under review; None while its rows are being read."""
        return self._reader.proposal(proposal) if self._ready(proposal, len(proposal.plan.steps)) else None

    def live(self, live: LiveRun, back: TakenBack | None) -> PlanTable | None:
        """The table of a run, whose work may have been taken `back`; None while its rows are being read."""
        return self._reader.live(live, back) if self._ready(live, len(live.plan.steps)) else None

    def _ready(self, source: Proposal | LiveRun, rows: int) -> bool:
        if self._busy:
            return False
        if rows <= AT_ONCE or self._reader.ready(source):
            return True
        self._busy = True
        self._tasks.start(self._take(source), "plan")
        return False

    async def _take(self, source: Proposal | LiveRun) -> None:
        try:
            self._reader.take(await asyncio.to_thread(self._reader.foresee, source))
        finally:
            self._busy = False
        if not self._closed:
            self._read()
