"""How far a row of a run is, kept up to date by the run's events."""

from __future__ import annotations

from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from agent.plan.ledger import StepState
from agent.session import events as ev
from agent.session.ports import RowReport
from app.desktop.goals import GoalCall, calls_in


class RowProgress(Struct, frozen=True):
    """How far a row is. `share` is 0-1 of a long call, `seconds` what an ended row took (None: not known)."""

    state: StepState = StepState.WAITING
    reason: str = ""
    share: float | None = None
    items_done: int = 0
    retries: int = 0
    """How often it was tried again, or is about to be."""
    again_in: float | None = None
    began: float | None = None
    """Of `time.monotonic()`."""
    seconds: float | None = None
    calls: tuple[GoalCall, ...] = ()
    """What was called for a goal so far."""


def stored_progress(known: RowProgress, row: RowReport) -> RowProgress:
    """A row as it is stored, with what only the window knows of it."""
    return replace(
        known, state=row.state, reason=row.reason, share=None, again_in=None, calls=calls_in(row.result) or known.calls
    )


def progress_after(row: RowProgress, event: ev.Event) -> RowProgress:
    """A row after an event of it; events of single items only count."""
    now = monotonic()
    match event:
        case ev.StepStarted(item=item):
            began = row.began if item >= 0 and row.began is not None else now
            return replace(row, state=StepState.RUNNING, began=began, again_in=None, calls=())
        case ev.SubStepDone(tool=tool, ok=ok, told=told):
            return replace(row, calls=(*row.calls, GoalCall(tool, ok, told)))
        case ev.StepProgress(share=share):
            return replace(row, share=share)
        case ev.StepDone(item=item) if item >= 0:
            return replace(row, items_done=row.items_done + 1)
        case ev.StepDone():
            took = None if row.began is None else now - row.began
            return replace(row, state=StepState.DONE, share=None, seconds=took)
        case ev.StepFailed(item=item, reason=reason, state=state) if item < 0:
            return replace(row, state=StepState(state), reason=reason, share=None)
        case ev.StepSkipped(reason=reason):
            return replace(row, state=StepState.SKIPPED, reason=reason)
        case ev.StepNotRun(reason=reason):
            return replace(row, state=StepState.NOT_RUN, reason=reason)
        case ev.Retrying(attempt=attempt, seconds=seconds, reason=reason):
            return replace(row, retries=attempt, again_in=seconds, reason=reason)
    return row
