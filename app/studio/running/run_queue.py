"""The turn of an approved run that waits for its song."""

from __future__ import annotations

from agent.fixes import FixKind
from agent.message import msg
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunError, RunState
from agent.session.session import NotApproved, Session
from agent.session.worker import Worker
from agent.song.ids import RunId
from app.storage.errors import Busy
from app.studio.running.commit_watch import CommitWatch
from app.studio.running.proposing import propose_again
from app.studio.running.reopening import end_unstarted
from app.studio.running.run_host import RunHost
from app.studio.running.run_start import SongClaim, claim_song
from app.studio.running.run_view import RunView, load_run
from app.studio.running.stopping import Stopping
from app.studio.store import Store

_DEATH_LOOK = 2.0
"""Seconds between checks whether the program that holds the song has crashed, as that stores nothing."""


class RunQueue:
    """Lets queued runs hold the song one after the other."""

    def __init__(self, store: Store, session: Session, host: RunHost, stopping: Stopping) -> None:
        self._store = store
        self._session = session
        self._host = host
        self._stopping = stopping

    async def wait_for_turn(self, run: RunId, cancellation: Cancellation) -> bool:
        """Wait until no other run holds the song and claim it; False if the run was cancelled meanwhile, or another
        process carries it out. Raises `NotApproved` if the song has changed: the run is PROPOSED again."""
        async with CommitWatch(self._store, self._host.changed) as watch:
            while (turn := await self.take_turn(run)) is SongClaim.NOT_YET:
                if cancellation.requested():
                    await self._store.write(lambda transaction: end_unstarted(transaction, run))
                    return False
                await watch.wait(cancellation, at_most=_DEATH_LOOK)
        return turn is SongClaim.OURS

    async def take_turn(self, run: RunId) -> SongClaim:
        """Claim the song for a queued run without waiting; the result says whether it holds the song. Raises
        `NotApproved` as `wait_for_turn`."""
        try:
            turn = await self._store.write(lambda transaction: claim_song(transaction, self._store, run))
        except Busy:
            return SongClaim.NOT_YET
        if turn is SongClaim.OTHER_SONG:
            await propose_again(self._store, self._session, run, (await self._show(run)).plan)
            self._host.changed.emit(run)
            raise _waits_again(run)
        return turn

    async def carry_out_in_turn(
        self, run: RunId, cancellation: Cancellation, worker: Worker | None = None
    ) -> RunView:
        """Carry out a queued run when its turn has come; if another process does, wait until it has ended or is paused.
        `cancellation` cancels it, wherever it is carried out. Raises `NotApproved` as `wait_for_turn`."""
        async with CommitWatch(self._store, self._host.changed) as watch:
            while True:
                view = await self._a_step_on(run, cancellation, worker)
                if view is not None:
                    return view
                # One that dies commits nothing: it is looked for from time to time.
                await watch.wait(cancellation, at_most=_DEATH_LOOK)

    async def _a_step_on(self, run: RunId, cancellation: Cancellation, worker: Worker | None) -> RunView | None:
        """What can be done for a run that was approved: carried out, seen at its end, or (None) nothing now."""
        if cancellation.requested():
            return await self._stopping.cancel(run)
        try:
            if await self.take_turn(run) is SongClaim.OURS:
                return await self._host.carry_out(run, cancellation, worker)
            view = await self._show(run)
            if view.state is RunState.PROPOSED:
                raise _waits_again(run)
            if view.state.ended or view.state is RunState.WAITING_USER:
                return view
            if view.state is RunState.RUNNING and await self._left(view):
                return await self._host.carry_out(run, cancellation, worker)
        except Busy:
            # Another program was faster.
            return None
        except RunError:
            if not (view := await self._show(run)).state.ended:
                raise
            return view
        return None

    async def _left(self, view: RunView) -> bool:
        """Whether a run that holds the song is carried out by no program that is alive."""
        return await self._store.read(lambda transaction: self._store.free(transaction, view.record.project))

    async def _show(self, run: RunId) -> RunView:
        return await self._store.read(lambda transaction: load_run(transaction, run))


def _waits_again(run: RunId) -> NotApproved:
    return NotApproved(
        msg("the song has changed while this run waited"), why=msg("another run or edit came first"),
        fix=FixKind.APPROVE_RUN_AGAIN(run),
    )
