"""The end of a run, in one transaction: the iteration, the state, the answer and the last events."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection

from agent.plan.ledger import StepState
from agent.session.events import Event, IterationSaved, RunCancelled, RunCompleted, RunFailed
from agent.session.run_state import RunState, moved
from agent.session.session import Ended
from agent.song.ids import IterationId, RunId
from app.storage import iterations, messages, projects, runs
from app.storage.records import Iteration, Lease, Message, Progress
from app.studio.desk import stored_event
from app.studio.run_view import RunView, load_run
from app.studio.store import Store, new_iteration_id


def finish(
    connection: Connection, store: Store, run: RunId, ended: Ended, lease: Lease, seconds: float
) -> IterationId | None:
    """Close the run; saves exactly one iteration if the run has left another song than the head has."""
    view = load_run(connection, run)
    project = projects.find(connection, view.record.project)
    assert project is not None
    events: list[Event] = []
    saved: IterationId | None = None
    if ended.ledger.done and _changed(connection, view):
        saved = _save(connection, view, ended, project.head, seconds)
        projects.move(connection, lease, view.record.revision, view.record.revision, saved)
        events.append(IterationSaved(saved))
    events.append(_last_word(ended))
    runs.record(connection, Progress(run, events=tuple(stored_event(event) for event in events)))
    record = replace(
        view.record,
        state=moved(view.state, ended.state),
        iteration=saved or view.record.iteration,
        answer=msgspec.json.encode(ended.answer).decode(),
    )
    runs.save(connection, record)
    messages.append(connection, Message(project.id, "assistant", ended.answer.text, run))
    return saved


def _changed(connection: Connection, view: RunView) -> bool:
    """Whether an edit was done since the last iteration of this run."""
    before = view.record.iteration or view.record.base_iteration
    iteration = None if before is None else iterations.find(connection, before)
    return iteration is None or iteration.root != view.record.revision


def _save(
    connection: Connection, view: RunView, ended: Ended, head: IterationId | None, seconds: float
) -> IterationId:
    record = view.record
    done = sum(row.state is StepState.DONE for row in ended.reports)
    label = record.request.strip().splitlines()[0][:80] if record.request.strip() else "Plan from a file"
    made = Iteration(
        new_iteration_id(), record.project, record.revision, "ai_iteration", record.planner or "person",
        parent=head, message=record.request, label=label, plan=record.plan, actions=done, run=record.id,
        planner=record.planner, seconds=round(seconds, 3),
    )
    return iterations.append(connection, made).id


def _last_word(ended: Ended) -> Event:
    if ended.state is RunState.COMPLETED:
        return RunCompleted(ended.ledger.done)
    if ended.state is RunState.CANCELLED:
        return RunCancelled(ended.ledger.done)
    reasons = [row.reason for row in ended.reports if row.state not in (StepState.DONE, StepState.SKIPPED)]
    return RunFailed(ended.state.value, reasons[0] if reasons else "")
