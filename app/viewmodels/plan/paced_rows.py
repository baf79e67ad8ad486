"""Rows of a run brought up to date by its events, with the time that they will still take."""

from __future__ import annotations

import asyncio
from time import monotonic

from msgspec.structs import replace

from agent.session import events as ev
from agent.session.pace import Pace, ProgressEstimate
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.row_states import RowProgress, paced, progress_after
from app.viewmodels.watched import Watched

_ITEMS_EVERY = 0.05
"""Seconds between two tellings of items; each would have every view look at all rows."""


class PacedRows:
    """Writes the progress of the rows of the run in `live` into it, from the events of that run."""

    def __init__(self, live: Watched[LiveRun | None]) -> None:
        self._live = live
        self._pace: Pace | None = None
        self._pending: dict[str, RowProgress] | None = None
        self._soon: asyncio.Handle | None = None
        self._late = False

    def begin(self, pace: Pace) -> None:
        """Estimate with `pace` from now on, as a run begins or is taken up again."""
        self._pace = pace

    def standing(self) -> ProgressEstimate | None:
        """How far the run is and how long it may still take; None before a run has begun."""
        return None if self._pace is None else self._pace.whole(monotonic())

    def hear(self, now: LiveRun, step: str, event: ev.Event) -> None:
        """Take in an event of the row `step`; `now` is the run as shown. Rows are updated at once, items of a loop a
        few times a second."""
        rows = dict(now.rows) if self._pending is None else self._pending
        if step not in rows:
            return
        rows[step] = self._paced(step, progress_after(rows[step], event), event)
        self._pending, loop = rows, asyncio.get_running_loop()
        if not isinstance(event, ev.StepProgress) and getattr(event, "item", -1) < 0:
            # Not for each of sixty events of one turn: every view looks at all rows.
            if self._soon is None or self._late:
                self._cancel()
                self._soon = loop.call_soon(self.tell)
        elif self._soon is None:
            self._soon, self._late = loop.call_later(_ITEMS_EVERY, self.tell), True

    def tell(self) -> None:
        """Write the gathered updates into `live` now."""
        now, rows = self._live.value, self._pending
        self.forget()
        if now is not None and now.running and rows is not None:
            self._live.set(replace(now, rows=rows))

    def forget(self) -> None:
        """Drop the gathered updates."""
        self._pending = None
        self._cancel()

    def _cancel(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
        self._soon, self._late = None, False

    def _paced(self, step: str, row: RowProgress, event: ev.Event) -> RowProgress:
        if self._pace is None:
            return row
        at = monotonic()
        self._pace.hear(event, at)
        return paced(row, self._pace.row(step, at), at)
