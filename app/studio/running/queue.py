"""The queue: requests that wait to be planned, plans that wait for an approval, approved runs that wait for a song."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from agent.message import msg
from agent.session.events import AgentThinking, RunCreated, RunFailed
from agent.session.run_state import RunState, moved
from agent.song.ids import ProjectId, RunId
from app.storage import projects, runs
from app.storage.database import Transaction
from app.storage.records import ChatMessage, Project, Run, RunUpdate
from app.studio.errors import StudioError
from app.studio.running.run_journal import stored_event
from app.studio.running.run_options import RunOptions, keep_run_options, run_options_of
from app.studio.running.run_view import load_run
from app.studio.store import Store
from app.studio.workspace import HOLDING

WAITING = (RunState.DRAFT, RunState.PROPOSED, RunState.APPROVED, RunState.QUEUED)
"""States of runs that have not begun."""


class Deed(Enum):
    """What a worker can do for a queued run."""

    PLAN = "plan"
    CARRY_OUT = "carry out"
    RESUME = "resume"


class Job(Struct, frozen=True):
    """Something that a worker can do now."""

    run: RunId
    project: ProjectId
    deed: Deed


class QueueEntry(Struct, frozen=True):
    """A queued run. `waits_for` is the id of a run that comes first, or `approval`, `worker`, `plan` (it is being
    planned) or `start` (whoever approved it will start it)."""

    run: Run
    waits_for: str


def store_request(
    transaction: Transaction, store: Store, run: RunId, request: str, options: RunOptions, project: Project,
    said: str = "",
) -> None:
    """Store a request as a run without a plan; the chat gets the text `said`, or if empty the request. Raises
    `StudioError` for a project without a song."""
    stored = projects.find(transaction, project.id)
    if stored is None or stored.working is None:
        raise StudioError(
            msg("project {project!r} has no song", project=project.name), fix=msg("restore one of its iterations"),
        )
    runs.create(transaction, Run(
        run, project.id, request, RunState.DRAFT, stored.working, stored.working, options.seed or 0, "",
        base_iteration=stored.head,
    ))  # fmt: skip
    keep_run_options(transaction, run, options)
    runs.record(transaction, RunUpdate(run, events=(stored_event(RunCreated(request)),)))
    store.chat.say(transaction, ChatMessage(project.id, "user", said or request, run))


def claim_request(transaction: Transaction, store: Store, run: RunId) -> RunOptions | None:
    """Claim a queued request for planning by this program, and return its options; None if another program plans it or
    it is not queued any more."""
    if runs.find(transaction, run) is None or load_run(transaction, run).state is not RunState.DRAFT:
        return None
    options = run_options_of(transaction, run)
    if _being_planned(options, store):
        return None
    options = replace(options, planned_by=store.presence.name)
    keep_run_options(transaction, run, options)
    told = stored_event(AgentThinking(f"planning with {options.provider or 'the planner of the settings'}"))
    runs.record(transaction, RunUpdate(run, events=(told,)))
    return options


def let_go(transaction: Transaction, store: Store, run: RunId) -> None:
    """Release this program's claim on a request."""
    options = run_options_of(transaction, run)
    if options.planned_by == store.presence.name:
        keep_run_options(transaction, run, replace(options, planned_by=""))


def store_failure(transaction: Transaction, store: Store, run: RunId, reason: str) -> None:
    """End a request that could not be planned, with the reason in the chat; does nothing if it is not queued any
    more."""
    record = load_run(transaction, run).record
    if record.state != RunState.DRAFT:
        return
    state = moved(RunState.DRAFT, RunState.FAILED)
    told = stored_event(RunFailed(state.value, reason))
    runs.record(transaction, RunUpdate(run, events=(told,), state=state))
    store.chat.say(transaction, ChatMessage(record.project, "assistant", f"This was not planned: {reason}", run))


def entries(transaction: Transaction, store: Store, project: ProjectId | None = None) -> tuple[QueueEntry, ...]:
    """All queued runs, of one project or of all, in the order of their turn within each project: approved runs first,
    then by age."""
    found = []
    for known in _by_project(transaction, project):
        holding = [run for run in known if run.state in HOLDING]
        waiting = [run for run in known if run.state not in HOLDING]
        for run in sorted(waiting, key=lambda one: one.state != RunState.QUEUED):
            first = next((one.id for one in (*holding, *_before(run, known)) if one.id != run.id), None)
            found.append(QueueEntry(run, _waits_for(transaction, store, run, first)))
    return tuple(found)


def jobs(transaction: Transaction, store: Store, carries: Callable[[RunId], bool]) -> tuple[Job, ...]:
    """What can be done now, at most one job for each project; `carries` says whether this process has begun a run."""
    found = (_job(transaction, store, known, carries) for known in _by_project(transaction))
    return tuple(job for job in found if job is not None)


def left(transaction: Transaction, store: Store) -> tuple[Run, ...]:
    """Runs that a crashed program has left RUNNING, oldest first."""
    running = runs.in_states(transaction, (RunState.RUNNING,))
    return tuple(run for run in running if store.free(transaction, run.project))


def _job(
    transaction: Transaction, store: Store, known: Sequence[Run], carries: Callable[[RunId], bool]
) -> Job | None:
    for run in known:
        if run.state in HOLDING:
            free = run.state == RunState.RUNNING and not carries(run.id) and store.free(transaction, run.project)
            return Job(run.id, run.project, Deed.RESUME) if free else None
    for run in known:
        if run.state == RunState.QUEUED:
            return Job(run.id, run.project, Deed.CARRY_OUT)
    oldest = known[0]
    if oldest.state == RunState.DRAFT and not _being_planned(run_options_of(transaction, oldest.id), store):
        return Job(oldest.id, oldest.project, Deed.PLAN)
    return None


def _by_project(transaction: Transaction, project: ProjectId | None = None) -> list[list[Run]]:
    """Runs that have not ended, oldest first, by their projects."""
    found: dict[ProjectId, list[Run]] = {}
    for run in runs.in_states(transaction, (*WAITING, *HOLDING), project):
        found.setdefault(run.project, []).append(run)
    return list(found.values())


def _before(run: Run, known: Sequence[Run]) -> Sequence[Run]:
    """Runs that must end before a request is planned; an approved run waits only for one that holds the song."""
    queued = [one for one in known if one.state == RunState.QUEUED]
    return (*queued, *known[: known.index(run)]) if run.state == RunState.DRAFT else queued[:1]


def _waits_for(transaction: Transaction, store: Store, run: Run, first: RunId | None) -> str:
    match RunState(run.state):
        case RunState.PROPOSED:
            return "approval"
        case RunState.APPROVED:
            return "start"
        case RunState.DRAFT if _being_planned(run_options_of(transaction, run.id), store):
            return "plan"
        case _:
            return first or "worker"


def _being_planned(options: RunOptions, store: Store) -> bool:
    return bool(options.planned_by) and not store.presence.gone(options.planned_by)
