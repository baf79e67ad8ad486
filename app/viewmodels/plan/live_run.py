"""A run as the window shows it: where it stands, row by row."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from agent.plan.document import Plan
from agent.plan.ledger import Ledger, StepState, balance
from agent.session.pace import Pace
from agent.session.ports import RowReport
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.studio.running.run_view import RunView
from app.viewmodels.plan.pending_edits import PendingEdits
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.row_states import RowProgress, stored_progress


class LiveRun(Struct, frozen=True):
    """A run as the window shows it, while it runs and afterwards. `rows` are by step id, `began` is of
    `time.monotonic()`; `stopping` and `pausing` tell that this was asked for and has not happened yet."""

    run: RunId
    plan: Plan
    state: RunState
    rows: Mapping[str, RowProgress]
    proposal: Proposal | None = None
    """The plan with the decisions that the run was approved from; None if the window was closed since."""
    began: float = 0.0
    stopping: bool = False
    pausing: bool = False
    elsewhere: bool = False
    """Whether another program, or the queue of this one, carries the run out."""
    view: RunView | None = None
    """The run as stored, once it has ended; None before."""
    pending_edits: Mapping[str, PendingEdits] = {}
    """Edits that wait for the person, by step id, as long as the song is the one that they were made for."""

    @property
    def running(self) -> bool:
        """Whether the run is being carried out."""
        return self.state in (RunState.APPROVED, RunState.RUNNING)

    @property
    def paused(self) -> bool:
        """Whether the run is paused between two rows; it holds the song meanwhile."""
        return self.state is RunState.WAITING_USER

    @property
    def ledger(self) -> Ledger:
        """How many rows have ended in which way so far (done, failed, skipped…); rows that wait or run are not
        counted."""
        return balance(row.state for row in self.rows.values())

    @property
    def failed(self) -> tuple[str, ...]:
        """Step ids of the rows that need the person, in the order of the plan: failed, partly done, or with edits to
        review."""
        bad = (StepState.FAILED, StepState.PARTIAL, StepState.NEEDS_REVIEW)
        return tuple(step.id for step in self.plan.steps if self.rows[step.id].state in bad)

    @property
    def waiting(self) -> PendingEdits | None:
        """The edits of the first row whose edits wait for approval; None if no row's do."""
        return next((self.pending_edits[step.id] for step in self.plan.steps if step.id in self.pending_edits), None)


def rows_of(view: RunView, known: Mapping[str, RowProgress]) -> dict[str, RowProgress]:
    """The progress of all rows, by step id, as stored in `view`; times and other values that are not stored are taken
    from `known`."""
    items: dict[str, list[RowReport]] = {}
    for item in view.items:
        items.setdefault(item.step, []).append(item)
    return {
        row.step: stored_progress(known.get(row.step, RowProgress()), row, items.get(row.step, ()))
        for row in view.rows
    }


def pace_of(view: RunView) -> Pace:
    """A progress estimate for the rows of a run that have not ended yet."""
    done: dict[str, int] = {}
    for item in view.items:
        done[item.step] = done.get(item.step, 0) + item.state.ended
    return Pace(view.plan.steps, [row.step for row in view.rows if row.state.ended], done)
