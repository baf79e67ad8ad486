"""The beginning of a run, each step in one transaction: stored with its approval, its turn for the song, its start."""

from __future__ import annotations

import msgspec

from agent.plan.decision import Approval
from agent.plan.document import Plan, write_plan
from agent.session.events import Event, PlanApproved, PlanGenerated, RunCreated
from agent.session.run_state import RunError, RunState, moved
from agent.session.session import NotApproved
from agent.song.ids import ProjectId, RunId
from agent.song.revision import ContentHash
from app.storage import projects, runs, usage
from app.storage.database import Transaction
from app.storage.objects import put_text
from app.storage.records import PlanningId, Progress, Project, Run
from app.studio.desk import stored_event
from app.studio.run_view import load_run
from app.studio.store import Store
from app.studio.workspace import HOLDING, refuse_while_running


def store_run(
    transaction: Transaction, run: RunId, plan: Plan, approval: Approval, project: Project, *, queued: bool
) -> None:
    """Store an approved plan as a run of a stored project; what planning used is counted to it.

    Raises `NotApproved` when the song is not the approved one any more, and `RunError` while another run holds it; a
    `queued` one may wait for that, but only one at a time.
    """
    if queued:
        _refuse_second_in_queue(transaction, project.id)
    else:
        refuse_while_running(transaction, project.id)
        _refuse_other_song(project, approval)
    state = RunState.QUEUED if queued else RunState.APPROVED
    revision = ContentHash(approval.song_revision)
    runs.create(
        transaction,
        Run(
            run, project.id, plan.request, state, revision, revision, plan.seed, plan.provider,
            put_text(transaction, write_plan(plan).decode()), msgspec.json.encode(approval).decode(), project.head,
        ),
    )
    created: tuple[Event, ...] = (
        RunCreated(plan.request),
        PlanGenerated(plan.hash, len(plan.steps), plan.provider),
        PlanApproved(approval.hash, approval.by),
    )
    runs.record(transaction, Progress(run, events=tuple(stored_event(event) for event in created)))
    if plan.planning:
        usage.claim(transaction, PlanningId(plan.planning), run)


def take_turn(transaction: Transaction, store: Store, run: RunId) -> RunState:
    """Let a queued run hold the song if no other does; the state that it has then. PROPOSED: the song is another."""
    record = load_run(transaction, run).record
    state = RunState(record.state)
    if state is not RunState.QUEUED or runs.in_states(transaction, HOLDING, record.project):
        return state
    project = projects.find(transaction, record.project)
    assert project is not None
    same = project.working == record.base_revision
    if same:
        store.take(transaction, record.project)
    state = moved(state, RunState.RUNNING if same else RunState.PROPOSED)
    runs.record(transaction, Progress(run, state=state))
    return state


def begin(transaction: Transaction, run: RunId) -> bool:
    """Start the run, or tell that the song is another; an approved run is then only proposed again."""
    view = load_run(transaction, run)
    project = projects.find(transaction, view.record.project)
    assert project is not None
    if project.working != view.record.revision:
        if view.state is RunState.APPROVED:
            runs.record(transaction, Progress(run, state=moved(view.state, RunState.PROPOSED)))
        return False
    if not view.state.holds_song:
        refuse_while_running(transaction, view.record.project)
        runs.record(transaction, Progress(run, state=moved(view.state, RunState.RUNNING)))
    return True


def _refuse_second_in_queue(transaction: Transaction, project: ProjectId) -> None:
    for waiting in runs.in_states(transaction, (RunState.QUEUED,), project):
        raise RunError(
            f"run {waiting.id} waits for the song already", why="one approved run may wait at a time",
            fix=f"bandleader runs cancel {waiting.id}, or wait until it has ended",
        )


def _refuse_other_song(project: Project, approval: Approval) -> None:
    if project.working != approval.song_revision:
        raise NotApproved(
            "the song has changed since this plan was approved",
            why="an edit or another run came in between",
            fix="plan the request again",
        )
