"""The rest of a run between two rows: asked for, and taken, each in one transaction."""

from __future__ import annotations

from agent.message import msg
from agent.session.events import PauseRequested, RunPaused
from agent.session.run_state import RunError, RunState, moved
from agent.song.ids import RunId
from app.storage import leases, runs
from app.storage.database import Transaction
from app.storage.records import Lease, RunUpdate
from app.studio.running.run_journal import stored_event
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store


def ask_to_rest(transaction: Transaction, run: RunId) -> int:
    """Store the request that a run pauses, which the program that carries it out will see; returns the event's number.
    Raises `RunError` for a run that is not RUNNING."""
    view = load_run(transaction, run)
    if view.state is not RunState.RUNNING:
        raise RunError(msg("run {run} cannot be paused", run=run), why=msg("it is {state}", state=view.state))
    runs.record(transaction, RunUpdate(run, events=(stored_event(PauseRequested()),)))
    return runs.last_number(transaction, run)


def rest(transaction: Transaction, run: RunId, lease: Lease) -> None:
    """Pause a run: it waits for a person and keeps the song; no iteration is stored."""
    leases.verify(transaction, lease)
    _rest(transaction, load_run(transaction, run))


def rest_left(transaction: Transaction, store: Store, run: RunId) -> None:
    """Pause a run that no program carries out any more; does nothing if it is not RUNNING. Raises `Busy` while a living
    program does."""
    view = load_run(transaction, run)
    if view.state is not RunState.RUNNING:
        return
    lease = store.take(transaction, view.record.project)
    _rest(transaction, view)
    leases.release(transaction, lease)


def _rest(transaction: Transaction, view: RunView) -> None:
    told = stored_event(RunPaused(sum(not row.state.ended for row in view.rows)))
    state = moved(view.state, RunState.WAITING_USER)
    runs.record(transaction, RunUpdate(view.record.id, events=(told,), state=state))
