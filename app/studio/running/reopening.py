"""Runs that were left or ended badly: their rows opened again, a row left out, the wish to stop."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Set

import msgspec
from msgspec.structs import replace

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.document import Plan, write_plan
from agent.plan.ledger import StepState
from agent.session.events import (
    CancelRequested,
    EditsApproved,
    Event,
    RowApproved,
    RunCancelled,
    StepFailed,
    StepNotRun,
    StepSkipped,
)
from agent.session.gathering import approved, digest_of, gathered_edits
from agent.session.ports import ROW, RowReport
from agent.session.row_context import idempotency_key
from agent.session.run_state import RunError, RunState, moved
from agent.song.ids import RunId
from app.storage import projects, runs
from app.storage.database import Transaction
from app.storage.objects import put_text
from app.storage.records import RunUpdate
from app.studio.running.run_journal import stored_event, stored_row
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store
from app.studio.workspace import refuse_while_running


def ask_to_stop(transaction: Transaction, run: RunId) -> int:
    """Store the request that a run stops, which the program that carries it out will see; returns the event's
    number."""
    runs.record(transaction, RunUpdate(run, events=(stored_event(CancelRequested()),)))
    return runs.last_number(transaction, run)


def end_unstarted(transaction: Transaction, run: RunId, *, holding: bool = False) -> bool:
    """Cancel a run that no program carries out, and close its rows; one that is cancelled already stays so. Returns
    False, and stores nothing, for a run that holds the song, unless `holding` allows it."""
    view = load_run(transaction, run)
    if view.state.holds_song and not holding:
        return False
    if view.state is not RunState.CANCELLED:
        left = [_given_up(view, row) for row in (*view.rows, *view.items) if not row.state.ended]
        events = [
            StepNotRun(row.step, row.reason) if row.state is StepState.NOT_RUN
            else StepFailed(row.step, row.reason, row.item, row.state.value)
            for row in left if row.item == ROW or row.state is not StepState.NOT_RUN
        ]
        told = tuple(stored_event(event) for event in (*events, RunCancelled(view.ledger.done)))
        rows = tuple(stored_row(row) for row in left)
        runs.record(transaction, RunUpdate(run, rows, told, state=moved(view.state, RunState.CANCELLED)))
    return True


def _given_up(view: RunView, row: RowReport) -> RowReport:
    """A row or item that will not be run any more; a call that was left running may have had its effect."""
    step = view.plan.step(row.step)
    items = [one.state for one in view.items if one.step == row.step] if row.item == ROW else []
    row = replace(row, key=row.key or idempotency_key(view.record.id, view.plan.hash, row.step, row.item))
    called = row.state is StepState.RUNNING and step.by == "exact" and (row.item != ROW or step.for_each is None)
    if called or StepState.RUNNING in items:
        doubt = f"{row.tool} had begun when the run was cancelled: it may or may not have happened"
        return replace(row, state=StepState.NEEDS_REVIEW, reason=doubt)
    state = StepState.PARTIAL if StepState.DONE in items else StepState.NOT_RUN
    return replace(row, state=state, reason="cancelled")


def reopen(
    transaction: Transaction, store: Store, run: RunId, open_up: Callable[[Transaction, RunView], None]
) -> None:
    """Resume a run that ended badly, with its rows reopened by `open_up`. Raises `RunError` if there is nothing to
    resume."""
    view = load_run(transaction, run)
    refuse_to_take_up(transaction, view)
    # A run that is RUNNING without a lease is one that a crash left, which others take up.
    store.take(transaction, view.record.project)
    open_up(transaction, view)
    runs.record(transaction, RunUpdate(run, state=moved(view.state, RunState.RUNNING)))


def refuse_to_take_up(transaction: Transaction, view: RunView) -> None:
    """Raise `RunError` for a run that has nothing to resume, or whose song has changed or is held by another run."""
    run, project = view.record.id, projects.find(transaction, view.record.project)
    if view.state not in (RunState.PARTIAL, RunState.FAILED, RunState.NEEDS_REVIEW) or view.approval is None:
        why = (
            msg("it is {state}", state=view.state) if view.approval is not None
            else msg("it never had a plan that was approved")
        )
        goes_on = view.state.holds_song or view.state is RunState.APPROVED
        fix = FixKind.RESUME_RUN(run) if goes_on else None
        raise RunError(msg("run {run} has nothing to take up again", run=run), why=why, fix=fix)
    if project is None or project.working != view.record.revision:
        raise RunError(
            msg("run {run} cannot be taken up again", run=run), why=msg("its result is not the newest song any more"),
            fix=msg("plan the request again"),
        )
    refuse_while_running(transaction, view.record.project)


def open_rows(
    transaction: Transaction, view: RunView, *, skipped: str | None = None, amended: str | None = None,
    probing: Set[str] = frozenset(),
) -> None:
    """Set rows and items that ended badly back to waiting; `skipped` is a row that the person leaves out, `amended` one
    that gets other inputs.

    Calls in doubt of the tools in `probing` stay begun, so that their service is asked before they are repeated.
    Skipping or amending one row decides nothing about other rows that need review: those whose tool cannot be asked
    stay."""
    decided = skipped or amended
    stay = {
        row.step for row in view.rows
        if decided is not None and row.step != decided
        and row.state is StepState.NEEDS_REVIEW and row.tool not in probing
    }
    again = []
    for row in (*view.rows, *view.items):
        settled = row.state in (StepState.DONE, StepState.SKIPPED, StepState.WAITING)
        if not settled and row.step != skipped and row.step not in stay:
            asked = row.step != amended and _in_doubt(view, row, probing)
            again.append(replace(row, state=StepState.RUNNING if asked else StepState.WAITING, reason=""))
    events: list[Event] = []
    if skipped is not None:
        again.append(replace(_skippable(view, skipped), state=StepState.SKIPPED, reason="skipped by a person"))
        events.append(StepSkipped(skipped, "skipped by a person"))
    rows = tuple(stored_row(row) for row in again)
    runs.record(transaction, RunUpdate(view.record.id, rows, tuple(stored_event(event) for event in events)))


def _in_doubt(view: RunView, row: RowReport, probing: Set[str]) -> bool:
    call = row.item != ROW or view.plan.step(row.step).for_each is None
    return row.state is StepState.NEEDS_REVIEW and call and row.tool in probing


def approve_edits(transaction: Transaction, view: RunView, step: str) -> None:
    """Store the approval of the edits that a row has collected, and set rows that were not reached back to waiting.
    Failed rows stay failed: what they would do now could come between the approval and its edits."""
    row = approved(_row(view, step), view.record.revision)
    again = [
        replace(one, state=StepState.WAITING, reason="")
        for one in (*view.rows, *view.items)
        if one.state is StepState.NOT_RUN
    ]
    told = EditsApproved(step, digest_of(gathered_edits(row)), view.record.revision, "person")
    rows = tuple(stored_row(one) for one in (row, *again))
    runs.record(transaction, RunUpdate(view.record.id, rows, (stored_event(told),)))


def store_amended(transaction: Transaction, view: RunView, step: str, plan: Plan) -> None:
    """Store the plan with a changed row, and the approval of exactly that row on the current song."""
    row = plan.step(step)
    digest = hashlib.sha256(msgspec.json.encode(row.inputs, order="sorted")).hexdigest()
    told = RowApproved(step, digest, view.record.revision, "person", row.max_edits)
    text = put_text(transaction, write_plan(plan).decode())
    runs.save(transaction, replace(view.record, plan=text))
    runs.record(transaction, RunUpdate(view.record.id, events=(stored_event(told),)))


def _skippable(view: RunView, step: str) -> RowReport:
    row = _row(view, step)
    if row.state in (StepState.DONE, StepState.SKIPPED):
        raise RunError(msg("row {step} cannot be skipped", step=step), why=msg("it is {value}", value=row.state.value))
    return row


def _row(view: RunView, step: str) -> RowReport:
    for row in view.rows:
        if row.step == step and row.item == ROW:
            return row
    raise RunError(
        msg("run {record} has no row {step!r:.40}", record=view.record.id, step=step),
        fix=FixKind.LIST_ROWS(view.record.id),
    )
