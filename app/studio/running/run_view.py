"""A run as it can be shown: its plan, rows, events and answer."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.decision import Approval
from agent.plan.document import Plan, read_plan
from agent.plan.ledger import Ledger, StepState, balance
from agent.session.answer import RunAnswer
from agent.session.events import ModelUsed, RunFailed, RunProposed
from agent.session.ports import ROW, RowReport
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.storage import runs
from app.storage.database import Transaction
from app.storage.objects import load_text
from app.storage.records import Event, Run
from app.storage.rows import decoded
from app.studio.errors import StudioError
from app.studio.running.run_journal import read_row

_FIX = "restore the newest backup"
_MODEL_USED = str(ModelUsed.__struct_config__.tag)
_ENDED_BADLY = str(RunFailed.__struct_config__.tag)
_REASONS = {
    RunState.PROPOSED: str(RunProposed.__struct_config__.tag),
    RunState.PARTIAL: _ENDED_BADLY, RunState.FAILED: _ENDED_BADLY, RunState.NEEDS_REVIEW: _ENDED_BADLY,
}


class RunView(Struct, frozen=True):
    """Everything stored about a run. Rows that were never begun are waiting; a request that is not planned has no
    rows."""

    record: Run
    plan: Plan
    rows: tuple[RowReport, ...]
    items: tuple[RowReport, ...]
    events: tuple[Event, ...]
    answer: RunAnswer | None
    approval: Approval | None

    @property
    def state(self) -> RunState:
        """The run's state."""
        return RunState(self.record.state)

    @property
    def planned(self) -> bool:
        """Whether it has a plan."""
        return self.record.plan is not None

    @property
    def reason(self) -> str:
        """Why it failed, or why it waits for approval; empty in other states."""
        if self.state not in _REASONS:
            return ""
        told = [event.body for event in self.events if event.kind == _REASONS[self.state]]
        return str(msgspec.json.decode(told[-1]).get("reason", "")) if told else ""

    @property
    def ledger(self) -> Ledger:
        """How many rows ended in which way; waiting rows of a run that is not over are in none of the counts."""
        return balance(row.state for row in self.rows)

    @property
    def past(self) -> tuple[RowReport, ...]:
        """Stored rows that have begun, and all stored items."""
        return (*(row for row in self.rows if row.state is not StepState.WAITING), *self.items)

    @property
    def used(self) -> tuple[int, float | None]:
        """(tokens, cost): tokens of models used by planning and by the run, and their cost in US dollars, None if not
        known."""
        told = [msgspec.json.decode(event.body) for event in self.events if event.kind == _MODEL_USED]
        costs = [self.plan.used.cost, *(one.get("cost") for one in told)]
        tokens = self.plan.used.tokens + sum(one["tokens"] for one in told)
        return tokens, None if None in costs else sum(costs, 0.0)


def load_run(transaction: Transaction, run_id: RunId) -> RunView:
    """The run of that id. Raises `StudioError` if there is none."""
    record = runs.find(transaction, run_id)
    if record is None:
        raise StudioError(msg("there is no run {run_id!r:.60}", run_id=run_id), fix=FixKind.LIST_RUNS())
    plan = Plan((), record.project, seed=record.seed, request=record.request)
    if record.plan is not None:
        plan = read_plan(load_text(transaction, record.plan).encode(), f"the plan of run {run_id}")
    stored = [read_row(row) for row in runs.steps(transaction, run_id)]
    known = {row.step: row for row in stored if row.item == ROW}
    rows = tuple(
        known.get(step.id) or RowReport(step.id, place, step.tool, StepState.WAITING, "")
        for place, step in enumerate(plan.steps)
    )
    return RunView(
        record,
        plan,
        rows,
        tuple(row for row in stored if row.item != ROW),
        runs.events(transaction, run_id),
        None if record.answer is None else decoded(record.answer, RunAnswer, f"the answer of run {run_id}", _FIX),
        None if record.approval is None else decoded(record.approval, Approval, f"the approval of run {run_id}", _FIX),
    )
