"""Runs that were left or ended badly: their rows opened again, a row left out, the wish to stop."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec.structs import replace

from agent.plan.document import Plan, write_plan
from agent.plan.ledger import StepState
from agent.session.events import CancelRequested, Event, RowApproved, StepSkipped
from agent.session.ports import ROW, RowReport
from agent.session.run_state import RunError, RunState
from agent.song.ids import RunId
from app.storage import runs
from app.storage.database import Transaction
from app.storage.objects import put_text
from app.storage.records import Progress
from app.studio.desk import stored_event, stored_row
from app.studio.run_view import RunView, load_run


def ask_to_stop(transaction: Transaction, run: RunId) -> None:
    """Store the wish that a run may stop; whoever carries it out looks for it."""
    view = load_run(transaction, run)
    if view.state is RunState.NEEDS_REVIEW:
        open_rows(transaction, view, None)
    runs.record(transaction, Progress(run, events=(stored_event(CancelRequested()),)))


def open_rows(transaction: Transaction, view: RunView, skipped: str | None) -> None:
    """Let rows and items that ended badly wait again; `skipped` names a row that a person leaves out."""
    again = [
        replace(row, state=StepState.WAITING, reason="")
        for row in (*view.rows, *view.items)
        if row.state not in (StepState.DONE, StepState.SKIPPED, StepState.WAITING) and row.step != skipped
    ]
    events: list[Event] = []
    if skipped is not None:
        again.append(replace(_skippable(view, skipped), state=StepState.SKIPPED, reason="skipped by a person"))
        events.append(StepSkipped(skipped, "skipped by a person"))
    rows = tuple(stored_row(row) for row in again)
    runs.record(transaction, Progress(view.record.id, rows, tuple(stored_event(event) for event in events)))


def store_amended(transaction: Transaction, view: RunView, step: str, plan: Plan) -> None:
    """Store the plan with another row, and the approval of exactly that row on the song as it is now."""
    row = msgspec.json.encode(plan.step(step).inputs, order="sorted")
    told = RowApproved(step, hashlib.sha256(row).hexdigest(), view.record.revision, "person")
    text = put_text(transaction, write_plan(plan).decode())
    runs.save(transaction, replace(view.record, plan=text))
    runs.record(transaction, Progress(view.record.id, events=(stored_event(told),)))


def _skippable(view: RunView, step: str) -> RowReport:
    for row in view.rows:
        if row.step == step and row.item == ROW:
            if row.state in (StepState.DONE, StepState.SKIPPED):
                raise RunError(f"row {step} cannot be skipped", why=f"it is {row.state.value}")
            return row
    raise RunError(f"run {view.record.id} has no row {step!r:.40}")
