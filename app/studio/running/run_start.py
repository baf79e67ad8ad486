"""The beginning of a run, each step in one transaction: stored with its approval, its turn for the song, its start."""

from __future__ import annotations

from enum import Enum

import msgspec

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.decision import Approval
from agent.plan.document import Plan, write_plan
from agent.services.registry import Registry
from agent.session.events import Event, PlanApproved, PlanGenerated, RunCreated
from agent.session.run_state import RunError, RunState, moved
from agent.session.session import NotApproved
from agent.song.ids import ProjectId, RunId
from agent.song.revision import ContentHash
from app.storage import projects, runs, usage
from app.storage.database import Transaction
from app.storage.objects import put_text
from app.storage.records import PlanningId, Project, Run, RunUpdate
from app.studio.running.run_journal import stored_event
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store
from app.studio.workspace import HOLDING, refuse_while_running


def store_run(
    transaction: Transaction, run: RunId, plan: Plan, approval: Approval, project: Project, registry: Registry, *,
    queued: bool,
) -> None:
    """Store an approved plan as a run of a stored project, and count what planning used to it. Raises `NotApproved` if
    the song is not the approved one any more, and `RunError` while another run holds it; a `queued` run may wait for
    that, but only one at a time."""
    if queued:
        refuse_second_in_queue(transaction, project.id, plan, registry)
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
    runs.record(transaction, RunUpdate(run, events=tuple(stored_event(event) for event in created)))
    if plan.planning:
        usage.claim(transaction, PlanningId(plan.planning), run)


class SongClaim(Enum):
    """The result of a run's claim to hold the song."""

    OURS = "ours"
    """The run holds the song from now on, for this program."""
    NOT_YET = "not yet"
    """Another run holds the song."""
    OTHER_SONG = "other song"
    """The song is not the approved one any more."""
    NOT_QUEUED = "not queued"
    """The run is not queued: it was cancelled, or another program carries it out."""


def claim_song(transaction: Transaction, store: Store, run: RunId) -> SongClaim:
    """Claim the song for a queued run, if no other run holds it."""
    record = load_run(transaction, run).record
    if record.state != RunState.QUEUED:
        return SongClaim.NOT_QUEUED
    if any(runs.is_whole(transaction, one) for one in runs.in_states(transaction, HOLDING, record.project)):
        return SongClaim.NOT_YET
    project = projects.find(transaction, record.project)
    assert project is not None
    if project.working != record.base_revision:
        return SongClaim.OTHER_SONG
    store.take(transaction, record.project)
    runs.record(transaction, RunUpdate(run, state=moved(RunState(record.state), RunState.RUNNING)))
    return SongClaim.OURS


def begin(transaction: Transaction, run: RunId) -> RunView | None:
    """Start or resume the run and return it; None if the song is not the approved one. Raises `RunError` for a run that
    has ended, and while another one holds the song, `NotApproved` for one without approval."""
    view = load_run(transaction, run)
    if view.state.ended:
        raise RunError(msg("run {run} has ended", run=run), why=msg("it is {state}", state=view.state))
    if not view.planned or view.approval is None:
        raise NotApproved(
            msg("run {run} is not approved", run=run), why=msg("it is {state}", state=view.state),
            fix=FixKind.SHOW_RUN(run),
        )
    project = projects.find(transaction, view.record.project)
    assert project is not None
    if project.working != view.record.revision:
        return None
    if not view.state.holds_song:
        refuse_while_running(transaction, view.record.project)
    if view.state is not RunState.RUNNING:
        runs.record(transaction, RunUpdate(run, state=moved(view.state, RunState.RUNNING)))
    return view


def refuse_second_in_queue(transaction: Transaction, project: ProjectId, plan: Plan, registry: Registry) -> None:
    """Raise `RunError` if the plan may change the song and a run that may do so is queued already."""
    if not changes_song(plan, registry):
        return
    for waiting in runs.in_states(transaction, (RunState.QUEUED,), project):
        if changes_song(load_run(transaction, waiting.id).plan, registry):
            raise RunError(
                msg("run {waiting} waits for the song already", waiting=waiting.id),
                why=msg("one approved run may wait at a time"), fix=FixKind.CANCEL_OR_WAIT(waiting.id),
            )


def changes_song(plan: Plan, registry: Registry) -> bool:
    """Whether a row of the plan may change the song; a row whose tool does not exist any more counts as one that
    may."""
    tools = registry.tools
    return any(step.tool not in tools or tools[step.tool].changes_song for step in plan.steps)


def _refuse_other_song(project: Project, approval: Approval) -> None:
    if project.working != approval.song_revision:
        raise NotApproved(
            msg("the song has changed since this plan was approved"),
            why=msg("an edit or another run came in between"),
            fix=msg("plan the request again"),
        )
