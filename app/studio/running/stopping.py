"""Runs brought to a stop, wherever they are carried out: paused, and cancelled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeAlias

from agent.errors import BandleaderError
from agent.fixes import FixKind
from agent.message import msg
from agent.session.cancellation import Cancellation
from agent.session.events import CancelRequested, PauseRequested, RunStarted
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.storage import runs
from app.storage.database import Transaction
from app.storage.errors import BadText, Busy, Refused, StorageError
from app.studio.running.commit_watch import CommitWatch
from app.studio.running.pausing import ask_to_rest, rest_left
from app.studio.running.reopening import ask_to_stop, end_unstarted, open_rows, reopen
from app.studio.running.run_end import abandon
from app.studio.running.run_host import RunHost
from app.studio.running.run_view import RunView, load_run
from app.studio.store import Store

_LOOK_EVERY = 0.3
"""Seconds between checks of a run that another process was asked to stop."""
_PATIENCE = 30.0
_Ask: TypeAlias = Callable[[Transaction, RunId], int]


class Stopping:
    """Pauses and cancels runs: those of this process directly, those of others by a stored request, those of no process
    by itself."""

    def __init__(self, store: Store, host: RunHost) -> None:
        self._store = store
        self._host = host

    async def pause(self, run: RunId) -> RunView:
        """Pause a run (WAITING_USER) after the rows under way and return it; it keeps the song, and `RunHost.carry_out`
        resumes it.

        It may be a run of any process, or one left by a crash; a paused one stays so. A run whose last row was under
        way ends instead. Raises `RunError` for a run that is not carried out, and if the row under way takes longer
        than half a minute: it is paused later then."""
        if (view := await self._show(run)).state is RunState.WAITING_USER:
            return view
        await self._store.write(lambda transaction: ask_to_rest(transaction, run))
        self._host.hold(run)

        async def step() -> RunView | None:
            if not self._host.carries(run):
                await self._store.write(lambda transaction: rest_left(transaction, self._store, run))
            view = await self._show(run)
            return None if view.state is RunState.RUNNING else view

        view = await self._until(run, step, ask_to_rest, "rest")
        self._host.changed.emit(run)
        return view

    async def cancel(self, run: RunId) -> RunView:
        """Ask a run that another process carries out to stop, or end one that no process carries out; returns it. Its
        changes stay, as an iteration. A run that cannot be finished regularly releases the song all the same, and its
        answer says why; only an error of the disk, or another program, can prevent that. Raises `RunError` for a run
        that has ended."""
        view = await self._show(run)
        if view.state is RunState.NEEDS_REVIEW:
            try:
                await self._store.write(lambda transaction: reopen(transaction, self._store, run, open_rows))
            except RunError:
                return await self._end_unstarted(run)
        elif view.state.ended:
            raise RunError(msg("run {run} cannot be cancelled", run=run), why=msg("it is {state}", state=view.state))
        elif not view.state.holds_song and await self._ended_unstarted(run):
            return await self._show(run)
        await self._store.write(lambda transaction: ask_to_stop(transaction, run))
        self._host.stop(run)
        stopped = Cancellation()
        stopped.cancel()

        async def step() -> RunView | None:
            view = await self._show(run)
            if view.state.ended:
                return view
            try:
                return await self._host.carry_out(run, stopped, None)
            except NotApproved:
                return await self._end_unstarted(run)
            except Exception as fault:
                if isinstance(fault, StorageError) and not isinstance(fault, Refused | BadText):
                    raise
                return await self._abandon(run, fault)

        return await self._until(run, step, ask_to_stop, "stop")

    async def _until(
        self, run: RunId, step: Callable[[], Awaitable[RunView | None]], ask: _Ask, what: str
    ) -> RunView:
        """Go on with steps until one comes back with the run, while another process is asked again if it began anew."""
        deadline = monotonic() + _PATIENCE
        async with CommitWatch(self._store, self._host.changed, _LOOK_EVERY) as watch:
            while monotonic() < deadline:
                try:
                    view = await step()
                except Busy:
                    view = None
                except RunError:
                    view = await self._show(run)
                    if not view.state.ended:
                        raise
                if view is not None:
                    return view
                await self._store.write(lambda transaction: _ask_again(transaction, run, ask))
                await watch.wait(at_most=_LOOK_EVERY)
        raise RunError(
            msg("run {run} did not {what} within {patience:.0f} s", run=run, what=what, patience=_PATIENCE),
            why=msg("the row that is under way has not come to its end"),
            fix=FixKind.FOLLOW_RUN(run, msg("it will {what} then", what=what)),
        )

    async def _abandon(self, run: RunId, fault: Exception) -> RunView:
        if not (await self._show(run)).state.ended:
            why = str(fault) if isinstance(fault, BandleaderError) else f"{type(fault).__name__}: {fault}"
            await self._store.write(lambda transaction: abandon(transaction, self._store, run, why))
            self._host.changed.emit(run)
        return await self._show(run)

    async def _end_unstarted(self, run: RunId) -> RunView:
        await self._store.write(lambda transaction: end_unstarted(transaction, run, holding=True))
        self._host.changed.emit(run)
        return await self._show(run)

    async def _ended_unstarted(self, run: RunId) -> bool:
        ended = await self._store.write(lambda transaction: end_unstarted(transaction, run))
        self._host.changed.emit(run)
        return ended

    async def _show(self, run: RunId) -> RunView:
        return await self._store.read(lambda transaction: load_run(transaction, run))


def _ask_again(transaction: Transaction, run: RunId, ask: _Ask) -> None:
    """Say a wish again that came before another process began the run: it is not for that one."""
    stop, rest, begun = (
        runs.last_event(transaction, run, str(fact.__struct_config__.tag))
        for fact in (CancelRequested, PauseRequested, RunStarted)
    )
    if begun > max(stop, rest) and load_run(transaction, run).state is RunState.RUNNING:
        ask(transaction, run)
