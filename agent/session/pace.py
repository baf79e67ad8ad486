"""How far a run is and how long it may still take, told from its events and the times at which they came."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from agent.plan.plan import Step
from agent.session import events as ev


class ProgressEstimate(Struct, frozen=True):
    """Progress of a row or a whole run: `share` done from 0 to 1; `seconds_left` is None while it cannot be estimated.
    `items_done` of `items` of a fan-out have ended; both are 0 for any other row."""

    share: float
    """Finished share, 0 to 1."""
    seconds_left: float | None = None
    items_done: int = 0
    """Finished items of a fan-out."""
    items: int = 0
    """Items of a fan-out; 0 for any other row, and while their number is not known."""


@dataclass
class _Row:
    """What was heard of a row."""

    tool: str
    ended: bool = False
    began: float | None = None
    share: float = 0.0
    items: int = 0
    items_known: int = 0
    """Items that had ended before this part of the run."""
    under_way: dict[int, tuple[float, float]] = field(default_factory=dict)
    """When an item began, and its share done."""
    took: list[float] = field(default_factory=list)
    width: int = 1
    """Most items seen at once."""

    def done(self) -> float:
        """Share done, with the parts of what is under way."""
        if self.ended:
            return 1.0
        if not self.items:
            return self.share
        parts = sum(share for _, share in self.under_way.values())
        return min(1.0, (self.items_known + len(self.took) + parts) / self.items)

    def left(self, now: float, usual: float | None) -> float | None:
        """Seconds until the row's end, if anything tells them; `usual` is what such a row takes."""
        if self.ended:
            return 0.0
        if self.began is None:
            return usual
        if self.items:
            return self._left_of_items(now, usual)
        passed = now - self.began
        if self.share > 0:
            return passed * (1 - self.share) / self.share
        return None if usual is None else max(0.0, usual - passed)

    def _left_of_items(self, now: float, usual: float | None) -> float | None:
        if not self.took:
            parts = self.done()
            passed = now - self.began if self.began is not None else 0.0
            return passed * (1 - parts) / parts if parts > 0 and not self.items_known else usual
        mean = sum(self.took) / len(self.took)
        waiting = max(0, self.items - self.items_known - len(self.took) - len(self.under_way))
        begun = sum(max(0.0, mean - (now - began)) for began, _ in self.under_way.values())
        return (waiting * mean + begun) / self.width


class Pace:
    """Estimates progress from the events of a run since it was last started or resumed. Times are in seconds of any
    monotonic clock. `ended` are the ids of steps that had ended before that, `items` the number of items of a fan-out
    that had ended before, by step id."""

    def __init__(
        self, steps: Iterable[Step], ended: Iterable[str] = (), items: Mapping[str, int] | None = None
    ) -> None:
        """`ended` are rows that an earlier part of the run brought to their end, `items` how many items of a row."""
        self._rows = {step.id: _Row(step.tool) for step in steps}
        for step_id in ended:
            self._rows[step_id].ended = True
        for step_id, count in (items or {}).items():
            self._rows[step_id].items_known = count
        self._running: set[str] = set()
        self._width = 1
        self._took: dict[str, tuple[int, float]] = {}

    def hear(self, event: ev.Event, at: float) -> None:
        """Update the estimate with an event at time `at`."""
        row = self._rows.get(getattr(event, "step", ""))
        if row is None or row.ended:
            return
        match event:
            case ev.StepStarted(step=step, item=item, of=of):
                self._begin(step, row, item, of, at)
            case ev.StepProgress(share=share, item=item):
                self._progress(row, share, item)
            case ev.StepDone(step=step, item=item) | ev.StepFailed(step=step, item=item):
                self._end(step, row, item, at)
            case ev.StepSkipped(step=step) | ev.StepNotRun(step=step):
                self._running.discard(step)
                row.ended = True

    def row(self, step_id: str, now: float) -> ProgressEstimate:
        """Progress of one row at time `now`."""
        row = self._rows[step_id]
        done = row.items if row.ended else min(row.items, row.items_known + len(row.took))
        return ProgressEstimate(row.done(), row.left(now, self._usual(row)), done, row.items)

    def whole(self, now: float) -> ProgressEstimate:
        """Progress of the run at time `now`; its seconds are a guess from the rows that have ended and those under
        way."""
        if not self._rows:
            return ProgressEstimate(1.0, 0.0)
        share = sum(row.done() for row in self._rows.values()) / len(self._rows)
        known = [row.left(now, self._usual(row)) for row in self._rows.values()]
        left = [seconds for seconds in known if seconds is not None]
        if len(left) < len(known):
            return ProgressEstimate(share)
        return ProgressEstimate(share, max(sum(left) / self._width, max(left)))

    def _begin(self, step: str, row: _Row, item: int, of: int, at: float) -> None:
        row.began = at if row.began is None else row.began
        self._running.add(step)
        self._width = max(self._width, len(self._running))
        if item >= 0:
            row.items = of
            row.under_way[item] = (at, 0.0)
            row.width = max(row.width, len(row.under_way))

    def _progress(self, row: _Row, share: float, item: int) -> None:
        if item in row.under_way:
            row.under_way[item] = (row.under_way[item][0], share)
        elif item < 0 and not row.items:
            row.share = share

    def _end(self, step: str, row: _Row, item: int, at: float) -> None:
        if item >= 0:
            if item in row.under_way:
                row.took.append(at - row.under_way.pop(item)[0])
            return
        row.ended = True
        self._running.discard(step)
        if row.began is not None:
            count, total = self._took.get(row.tool, (0, 0.0))
            self._took[row.tool] = (count + 1, total + at - row.began)

    def _usual(self, row: _Row) -> float | None:
        """What a row of this tool took before, else any row; None before the first has ended."""
        count, total = self._took.get(row.tool, (0, 0.0))
        if count:
            return total / count
        count = sum(one for one, _ in self._took.values())
        return sum(total for _, total in self._took.values()) / count if count else None
