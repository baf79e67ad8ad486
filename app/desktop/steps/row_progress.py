"""How far a row of a run is, kept up to date by the run's events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.ledger import StepState
from agent.session import events as ev
from agent.session.pace import Standing
from agent.session.ports import RowReport
from app.desktop.steps.event_lines import item_name
from app.desktop.steps.goals import GoalCall, calls_in


class ItemProgress(Struct, frozen=True, gc=False):
    """How far an item of a loop is; `name` tells what it is by its inputs, `seconds` what it took (None: not known)."""

    state: StepState
    name: str = ""
    reason: str = ""
    share: float | None = None
    """0-1 of a long call."""
    retries: int = 0
    """How often it was tried again, or is about to be."""
    again_in: float | None = None
    began: float | None = None
    """Of `time.monotonic()`."""
    seconds: float | None = None


WAITING_ITEM = ItemProgress(StepState.WAITING)
"""An item that has not begun."""


class RowProgress(Struct, frozen=True):
    """How far a row is. `share` is 0-1 of a long call, `seconds` what an ended row took (None: not known)."""

    state: StepState = StepState.WAITING
    reason: str = ""
    share: float | None = None
    items: Mapping[int, ItemProgress] = {}
    """Of a loop: the items that have begun."""
    of: int = 0
    """How many items there are; 0 for a row that is no loop, and before its list is known."""
    retries: int = 0
    """How often it was tried again, or is about to be."""
    again_in: float | None = None
    began: float | None = None
    """Of `time.monotonic()`."""
    ends: float | None = None
    """When it is expected to end, of the same clock; None where nothing tells it."""
    seconds: float | None = None
    calls: tuple[GoalCall, ...] = ()
    """What was called for a goal so far."""

    @property
    def items_done(self) -> int:
        """How many items are done."""
        return sum(item.state is StepState.DONE for item in self.items.values())

    @property
    def items_failed(self) -> tuple[ItemProgress, ...]:
        """The items that went wrong, in their order."""
        return failed_items(self.items)


def failed_items(items: Mapping[int, ItemProgress]) -> tuple[ItemProgress, ...]:
    """The items that went wrong, in their order."""
    bad = [place for place, item in items.items() if item.state in (StepState.FAILED, StepState.NEEDS_REVIEW)]
    return tuple(items[place] for place in sorted(bad))


def stored_progress(known: RowProgress, row: RowReport, items: Sequence[RowReport] = ()) -> RowProgress:
    """A row as it is stored, with what only the window knows of it."""
    told = {item.item: _stored_item(known.items.get(item.item), item) for item in items}
    return replace(
        known, state=row.state, reason=row.reason, share=None, again_in=None, ends=None,
        calls=calls_in(row.result) or known.calls, items=told, of=max(known.of, len(told)),
    )


def _stored_item(known: ItemProgress | None, item: RowReport) -> ItemProgress:
    name = item_name(item.inputs)
    if known is None:
        return ItemProgress(item.state, name, item.reason)
    return replace(known, state=item.state, name=name, reason=item.reason, share=None, again_in=None)


def paced(row: RowProgress, standing: Standing, now: float) -> RowProgress:
    """A row that runs, with what its pace tells."""
    if row.state is not StepState.RUNNING:
        return row
    left = standing.seconds_left
    share = standing.share if standing.items else row.share
    return replace(row, ends=None if left is None else now + left, share=share)


def progress_after(row: RowProgress, event: ev.Event) -> RowProgress:
    """A row after an event of it."""
    now = monotonic()
    match event:
        case ev.StepStarted(item=item, inputs=inputs, of=of) if item >= 0:
            began = now if row.began is None else row.began
            # The start of an item without an effect outside is told with its end: its progress knows when it began.
            known = row.items.get(item, WAITING_ITEM)
            since = known.began if known.state is StepState.RUNNING else now
            items = {**row.items, item: ItemProgress(StepState.RUNNING, item_name(inputs), began=since)}
            return replace(row, state=StepState.RUNNING, began=began, again_in=None, items=items, of=of)
        case ev.StepStarted():
            since = row.began if row.state is StepState.RUNNING else now
            return replace(row, state=StepState.RUNNING, began=since, again_in=None, calls=())
        case ev.SubStepDone(tool=tool, ok=ok, told=told):
            return replace(row, calls=(*row.calls, GoalCall(tool, ok, told)))
        case ev.StepProgress(share=share, item=item) if item < 0:
            # The start of a row without an effect outside is stored, and told, with its end.
            if row.state is StepState.WAITING:
                row = replace(row, state=StepState.RUNNING, began=now)
            return replace(row, share=share)
        case ev.StepProgress(share=share, item=item):
            return _item_under_way(row, item, share, now)
        case ev.StepDone(item=item) if item >= 0:
            return _item_ended(row, item, StepState.DONE, "")
        case ev.StepFailed(item=item, reason=reason, state=state) if item >= 0:
            return _item_ended(row, item, StepState(state), reason)
        case ev.StepDone():
            took = None if row.began is None else now - row.began
            return replace(row, state=StepState.DONE, share=None, ends=None, seconds=took)
        case ev.StepFailed(reason=reason, state=state):
            return replace(row, state=StepState(state), reason=reason, share=None, ends=None)
        case ev.StepSkipped(reason=reason):
            return replace(row, state=StepState.SKIPPED, reason=reason)
        case ev.StepNotRun(reason=reason):
            return replace(row, state=StepState.NOT_RUN, reason=reason)
        case ev.Retrying(attempt=attempt, seconds=seconds, reason=reason, item=item) if item < 0:
            return replace(row, retries=attempt, again_in=seconds, reason=reason)
        case ev.Retrying(attempt=attempt, seconds=seconds, reason=reason, item=item):
            known = row.items.get(item, WAITING_ITEM)
            return _with_item(row, item, replace(known, retries=attempt, again_in=seconds, reason=reason))
    return row


def _item_under_way(row: RowProgress, item: int, share: float, now: float) -> RowProgress:
    known = row.items.get(item, WAITING_ITEM)
    if known.state is StepState.WAITING:
        known = replace(known, state=StepState.RUNNING, began=now)
    return _with_item(row, item, replace(known, share=share, again_in=None))


def _item_ended(row: RowProgress, item: int, state: StepState, reason: str) -> RowProgress:
    known = row.items.get(item, ItemProgress(state))
    took = None if known.began is None else monotonic() - known.began
    return _with_item(row, item, replace(
        known, state=state, reason=reason, share=None, again_in=None, seconds=took,
    ))


def _with_item(row: RowProgress, item: int, now: ItemProgress) -> RowProgress:
    return replace(row, items={**row.items, item: now})
