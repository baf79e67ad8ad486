"""The end of a run, in one transaction: the iteration, the state, the answer and the last events.

Whatever cannot be recorded of it is left out and told: no run holds the song because of its own account.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from agent.plan.ledger import StepState
from agent.session.answer import RunAnswer
from agent.session.events import Event, IterationSaved, RunCancelled, RunCompleted, RunFailed
from agent.session.ports import RowReport
from agent.session.report_words import markdown
from agent.session.run_state import RunState, moved
from agent.session.session import Ended, Session
from agent.song.ids import IterationId, RunId
from app.services.versions_service import BRANCH, SAVE
from app.storage import iterations, leases, projects, runs
from app.storage.database import Transaction
from app.storage.driver import RejectedValues, attempt
from app.storage.records import ChatMessage, Iteration, Lease, Run, RunUpdate
from app.studio.naming import in_brief
from app.studio.running.reopening import end_unstarted
from app.studio.running.run_journal import stored_event
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store, new_iteration_id

_LONGEST_LABEL = 80


def finish(
    transaction: Transaction, store: Store, session: Session, run: RunId, ended: Ended, lease: Lease, seconds: float,
    remarks: Sequence[str] = (),
) -> IterationId | None:
    """End the run, which took `seconds`; stores one iteration if the song differs from that of the head, and returns
    its id, else None. `remarks` are appended to the answer. A run that changes no song ends with a report, which is
    stored with the answer and as a message in the chat."""
    leases.verify(transaction, lease)
    view = load_run(transaction, run)
    text = "\n".join((ended.answer.text, *remarks))
    answer = replace(ended.answer, text=text, report=session.report(view.plan, view.rows, view.items))
    saved: IterationId | None = None
    if _changed(transaction, view):
        # What planning used counts with the first iteration that came of it.
        tokens, cost = view.used if view.record.iteration is None else (ended.usage.total, ended.cost)
        made = replace(
            _iteration(transaction, view, [row for row in ended.reports if row.state is StepState.DONE]),
            tokens=tokens, cost=cost or 0.0, seconds=round(seconds, 3),
        )
        saved, unrecorded = _save(transaction, made)
        answer = replace(answer, text="\n".join([answer.text, *unrecorded]))
        _move_head(transaction, view, lease, saved)
    runs.record(transaction, RunUpdate(run, events=(stored_event(_last_word(ended)),)))
    record = replace(
        view.record, state=moved(view.state, ended.state), iteration=saved or view.record.iteration,
    )
    kept = attempt(transaction, lambda: _tell(transaction, store, record, answer))
    if isinstance(kept, RejectedValues):
        text = f"The run ended {ended.state.value}. Its account could not be recorded: {kept.why}"
        _tell(transaction, store, record, RunAnswer(text))
    return saved


def abandon(transaction: Transaction, store: Store, run: RunId, why: str) -> None:
    """End a cancelled run that cannot be finished regularly: its rows are closed, its changes of the song stay as an
    iteration, and the answer says `why`. Raises `Busy` while another living program carries it out."""
    view = load_run(transaction, run)
    project = projects.find(transaction, view.record.project)
    assert project is not None
    lease = store.take(transaction, project.id)
    saved: IterationId | None = None
    if project.working == view.record.revision and _changed(transaction, view):
        done = [row for row in view.rows if row.state is StepState.DONE]
        saved, _ = _save(transaction, _iteration(transaction, view, done))
        _move_head(transaction, view, lease, saved)
    end_unstarted(transaction, run, holding=True)
    record = load_run(transaction, run).record
    text = f"The run was cancelled. Its account and what it used could not be recorded: {why}"
    _tell(transaction, store, replace(record, iteration=saved or record.iteration), RunAnswer(text))
    leases.release(transaction, lease)


def _tell(transaction: Transaction, store: Store, record: Run, answer: RunAnswer) -> None:
    """Store the answer with its run, and say it in the chat."""
    runs.save(transaction, replace(record, answer=msgspec.json.encode(answer).decode()))
    store.chat.say(transaction, ChatMessage(record.project, "assistant", _said(answer), record.id))


def _said(answer: RunAnswer) -> str:
    """The answer as the chat keeps it."""
    return answer.text if answer.report is None else f"{answer.text}\n\n{markdown(answer.report)}"


def _changed(transaction: Transaction, view: RunView) -> bool:
    """Whether an edit was done since the last iteration of this run."""
    before = view.record.iteration or view.record.base_iteration
    iteration = None if before is None else iterations.find(transaction, before)
    return iteration is None or iteration.root != view.record.revision


def _iteration(transaction: Transaction, view: RunView, done: list[RowReport]) -> Iteration:
    """What the rows that are done have made of the song, without what it took."""
    record = view.record
    project = projects.find(transaction, record.project)
    assert project is not None
    return Iteration(
        new_iteration_id(), record.project, record.revision, "ai_iteration", record.planner or "person",
        parent=_branched_from(done) or project.head, message=record.request, label=_label(record.request, done),
        plan=record.plan, actions=len(done), run=record.id, planner=record.planner,
    )


def _save(transaction: Transaction, made: Iteration) -> tuple[IterationId, tuple[str, ...]]:
    """Store the iteration; what it took is left out where the database refuses that, and a sentence says so."""
    kept = attempt(transaction, lambda: iterations.append(transaction, made))
    if not isinstance(kept, RejectedValues):
        return kept.id, ()
    took = f"{made.tokens:,} tokens, ${made.cost:g}, {made.seconds:g} s"
    unrecorded = f"What the run took could not be recorded ({took}): {kept.why}"
    return iterations.append(transaction, replace(made, tokens=0, cost=0.0, seconds=0.0)).id, (unrecorded,)


def _move_head(transaction: Transaction, view: RunView, lease: Lease, saved: IterationId) -> None:
    projects.move(transaction, lease, view.record.revision, view.record.revision, saved)
    runs.record(transaction, RunUpdate(view.record.id, events=(stored_event(IterationSaved(saved)),)))


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
