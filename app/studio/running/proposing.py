"""Runs that wait for an approval: proposed with a plan, again when the song has changed, approved into the queue."""

from __future__ import annotations

from functools import partial

import msgspec
from msgspec.structs import replace

from agent.fixes import FixKind
from agent.message import msg
from agent.plan.decision import Approval
from agent.plan.document import Plan, write_plan
from agent.plan.in_thread import in_thread
from agent.services.registry import Registry
from agent.session.events import PlanApproved, PlanGenerated, RunProposed
from agent.session.run_state import RunError, RunState, moved
from agent.session.session import NotApproved, Session
from agent.song.ids import RunId
from agent.song.revision import ContentHash
from app.storage import projects, runs, usage
from app.storage.database import Transaction
from app.storage.objects import put_text
from app.storage.records import PlanningId, RunUpdate
from app.studio.running.run_journal import stored_event
from app.studio.running.run_start import refuse_second_in_queue
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store

PROPOSABLE = (RunState.DRAFT, RunState.PROPOSED, RunState.APPROVED, RunState.QUEUED)
"""States in which a run has not begun, so that a plan can be proposed for it."""
SONG_CHANGED = "the song has changed"
"""The reason of a run proposed again because its plan was made for another state of the song."""

BOUND_ANEW = "an approval is bound to more of the plan than when it was made"
"""The reason of a run proposed again because its hash was computed by an earlier version of Bandleader."""


def store_proposal(transaction: Transaction, run: RunId, plan: Plan, reason: str) -> bool:
    """Let a run that has not begun wait for approval of this plan, for `reason`; an earlier approval is void. Returns
    False, and stores nothing, if the song is not the plan's or the run has begun or ended."""
    view = load_run(transaction, run)
    project = projects.find(transaction, view.record.project)
    if view.state not in PROPOSABLE or project is None or project.working != plan.song_revision:
        return False
    revision = ContentHash(plan.song_revision)
    runs.save(transaction, replace(
        view.record, state=moved(view.state, RunState.PROPOSED), base_revision=revision, revision=revision,
        seed=plan.seed, planner=plan.provider, plan=put_text(transaction, write_plan(plan).decode()), approval=None,
        base_iteration=project.head,
    ))  # fmt: skip
    told = (PlanGenerated(plan.hash, len(plan.steps), plan.provider), RunProposed(reason))
    runs.record(transaction, RunUpdate(run, events=tuple(stored_event(event) for event in told)))
    if plan.planning:
        usage.claim(transaction, PlanningId(plan.planning), run)
    return True


async def propose_again(
    store: Store, session: Session, run: RunId, plan: Plan, reason: str = SONG_CHANGED
) -> bool:
    """Check the plan's rows against the current song, and let the run wait for approval of the result, for `reason`.
    Returns False if the run is not waiting any more."""
    while (song := await store.read(lambda transaction: _song_of(transaction, run))) is not None:
        rows = replace(plan, song_revision=song)
        judged = await in_thread(partial(session.judge, rows, await store.song(song)))
        if await store.write(partial(store_proposal, run=run, plan=judged.plan, reason=reason)):
            return True
    return False


def _song_of(transaction: Transaction, run: RunId) -> ContentHash | None:
    """The revision of the song that a run which has not begun would run on now."""
    record = load_run(transaction, run).record
    project = projects.find(transaction, record.project)
    return None if project is None or RunState(record.state) not in PROPOSABLE else project.working


async def approve_proposed(store: Store, session: Session, registry: Registry, run: RunId, given_hash: str) -> None:
    """Store a person's approval of the plan that a run proposes; the run is QUEUED then.

    The plan is checked again first; its stored hash is not trusted. One of an earlier version is proposed again with
    its new hash. Raises `RunError` for a run that proposes nothing, and while another approved run is queued,
    `NotApproved` for any other hash, and if the song has changed: then the run is proposed again."""
    view = await store.read(lambda transaction: load_run(transaction, run))
    _refuse_not_proposed(view)
    project = await store.read(lambda transaction: projects.find(transaction, view.record.project))
    assert project is not None
    if project.working != view.plan.song_revision:
        await propose_again(store, session, run, view.plan)
        raise _changed(run, await store.read(lambda transaction: load_run(transaction, run)))
    judged = await in_thread(partial(session.judge, view.plan, await store.song(ContentHash(project.working))))
    if judged.plan.version != view.plan.version and given_hash != judged.plan.hash:
        # Stored by an earlier version: what is shown from here on is the hash that can be approved.
        await store.write(partial(store_proposal, run=run, plan=judged.plan, reason=BOUND_ANEW))
    approval = session.approve(judged, given_hash, ContentHash(project.working))
    await store.write(lambda transaction: _store_approval(transaction, view, judged.plan, approval, registry))


def _store_approval(
    transaction: Transaction, shown: RunView, plan: Plan, approval: Approval, registry: Registry
) -> None:
    run = shown.record.id
    view = load_run(transaction, run)
    _refuse_not_proposed(view)
    project = projects.find(transaction, view.record.project)
    if view.record.plan != shown.record.plan or project is None or project.working != approval.song_revision:
        raise _changed(run, view)
    refuse_second_in_queue(transaction, view.record.project, plan, registry)
    runs.save(transaction, replace(
        view.record, state=moved(moved(view.state, RunState.APPROVED), RunState.QUEUED),
        approval=msgspec.json.encode(approval).decode(), plan=put_text(transaction, write_plan(plan).decode()),
    ))  # fmt: skip
    runs.record(transaction, RunUpdate(run, events=(stored_event(PlanApproved(approval.hash, approval.by)),)))


def _refuse_not_proposed(view: RunView) -> None:
    if view.state is not RunState.PROPOSED:
        raise RunError(
            msg("run {record} does not wait for an approval", record=view.record.id),
            why=msg("it is {state}", state=view.state),
        )


def _changed(run: RunId, view: RunView) -> NotApproved:
    return NotApproved(
        msg("the song has changed since this plan was made"),
        why=msg(
            "the same rows were judged again on the song of today; their hash is {hash}… now",
            hash=view.plan.hash[:16],
        ),
        fix=FixKind.APPROVE_RUN_AGAIN(run),
    )
