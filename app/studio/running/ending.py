"""The end of a run, in one transaction: the iteration, the state, the answer and the last events."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from agent.plan.ledger import StepState
from agent.session.answer import Answer
from agent.session.events import Event, IterationSaved, RunCancelled, RunCompleted, RunFailed
from agent.session.ports import RowReport
from agent.session.report_words import markdown
from agent.session.run_state import RunState, moved
from agent.session.session import Ended, Session
from agent.song.ids import IterationId, RunId
from app.services.versions_service import BRANCH, SAVE
from app.storage import iterations, leases, projects, runs
from app.storage.database import Transaction
from app.storage.records import Iteration, Lease, Message, Progress
from app.studio.naming import in_brief
from app.studio.running.desk import stored_event
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store, new_iteration_id

_LONGEST_LABEL = 80


def finish(
    transaction: Transaction, store: Store, session: Session, run: RunId, ended: Ended, lease: Lease, seconds: float
) -> IterationId | None:
    """Close the run; saves exactly one iteration if the run has left another song than the head has.

    A run that changes no song ends with a report, which is kept with its answer and said in the chat.
    """
    leases.verify(transaction, lease)
    view = load_run(transaction, run)
    project = projects.find(transaction, view.record.project)
    assert project is not None
    answer = replace(ended.answer, report=session.report(view.plan, view.rows, view.items))
    events: list[Event] = []
    saved: IterationId | None = None
    if _changed(transaction, view):
        saved = _save(transaction, view, ended, project.head, seconds)
        projects.move(transaction, lease, view.record.revision, view.record.revision, saved)
        events.append(IterationSaved(saved))
    events.append(_last_word(ended))
    runs.record(transaction, Progress(run, events=tuple(stored_event(event) for event in events)))
    record = replace(
        view.record,
        state=moved(view.state, ended.state),
        iteration=saved or view.record.iteration,
        answer=msgspec.json.encode(answer).decode(),
    )
    runs.save(transaction, record)
    store.chat.say(transaction, Message(project.id, "assistant", _said(answer), run))
    return saved


def _said(answer: Answer) -> str:
    """The answer as the chat keeps it."""
    return answer.text if answer.report is None else f"{answer.text}\n\n{markdown(answer.report)}"


def _changed(transaction: Transaction, view: RunView) -> bool:
    """Whether an edit was done since the last iteration of this run."""
    before = view.record.iteration or view.record.base_iteration
    iteration = None if before is None else iterations.find(transaction, before)
    return iteration is None or iteration.root != view.record.revision


def _save(
    transaction: Transaction, view: RunView, ended: Ended, head: IterationId | None, seconds: float
) -> IterationId:
    record = view.record
    done = [row for row in ended.reports if row.state is StepState.DONE]
    # What planning used counts with the first iteration that came of it.
    tokens, cost = view.used if record.iteration is None else (ended.usage.total, ended.cost)
    label, parent = _label(record.request, done), _branched_from(done) or head
    made = Iteration(
        new_iteration_id(), record.project, record.revision, "ai_iteration", record.planner or "person",
        parent=parent, message=record.request, label=label, plan=record.plan, actions=len(done), run=record.id,
        planner=record.planner, tokens=tokens, cost=cost or 0.0, seconds=round(seconds, 3),
    )
    return iterations.append(transaction, made).id


def _label(request: str, done: list[RowReport]) -> str:
    """The name that a row gave (save_iteration, branch), else the request's first line."""
    for row in reversed(done):
        given = row.inputs.get({SAVE: "label", BRANCH: "name"}.get(row.tool, ""))
        if given:
            return in_brief(str(given), _LONGEST_LABEL)
    return in_brief(request.strip().splitlines()[0], _LONGEST_LABEL) if request.strip() else "Plan from a file"


def _branched_from(done: list[RowReport]) -> IterationId | None:
    """The iteration that a branch goes on from; it becomes the parent instead of the head."""
    for row in done:
        if row.tool == BRANCH:
            return IterationId(row.inputs["iteration"])
    return None


def _last_word(ended: Ended) -> Event:
    if ended.state is RunState.COMPLETED:
        return RunCompleted(ended.ledger.done)
    if ended.state is RunState.CANCELLED:
        return RunCancelled(ended.ledger.done)
    reasons = [row.reason for row in ended.reports if row.state not in (StepState.DONE, StepState.SKIPPED)]
    return RunFailed(ended.state.value, reasons[0] if reasons else "")
