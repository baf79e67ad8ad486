"""A run's journal and the door to the song, over one transaction each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType

import msgspec
from msgspec import Struct

from agent.plan.ledger import StepState
from agent.session.cancellation import Cancellation
from agent.session.events import CancelRequested, Event, PauseRequested
from agent.session.ports import Report, RowReport, SongMoved
from agent.song.apply import apply_all
from agent.song.edits import Edit
from agent.song.ids import RunId
from agent.song.revision import ContentHash
from agent.song.song import Song
from app.storage import leases, projects, runs
from app.storage.database import Transaction
from app.storage.errors import Stale, StorageError
from app.storage.records import Event as StoredEvent
from app.storage.records import Lease, RunUpdate, StepRecord, stamp
from app.studio.observable import Observable
from app.studio.running.pipeline import Pipeline
from app.studio.store import Store
from app.studio.workspace import Workspace

_LOOK_EVERY = 0.4
_RENEW_EVERY = 5.0


class _Stored(Struct, frozen=True, eq=False):
    """What one transaction of the run has stored."""

    report: Report
    song: tuple[Song, ContentHash] | None = None
    """The song after it with its revision, where it has changed."""


class RunJournal:
    """The ports `Journal` and `SongDoor` of one run; as a context manager it holds the project's lease.

    Reports and edits are stored soon after, in order, each in a transaction of its own. Workspace and listeners see
    only what is stored."""

    def __init__(
        self, store: Store, workspace: Workspace, run: RunId, events: Observable[Event], cancellation: Cancellation
    ) -> None:
        self._store = store
        self._workspace = workspace
        self._run = run
        self._events = events
        self.tell = events.emit
        """Emits an event to the listeners without storing it."""
        self._cancellation = cancellation
        self._lease: Lease | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._since = 0
        self._pipeline: Pipeline[_Stored] = Pipeline(store.database, self._show)
        self.settled = self._pipeline.settled
        """Waits until everything is stored and reported; raises the error that prevented it."""
        self._newest: Song | None = None
        self._root = workspace.revision

    async def __aenter__(self) -> RunJournal:
        """Take the lease. Raises `Busy` while another process holds the project."""
        def work(transaction: Transaction) -> tuple[Lease, int]:
            lease = self._store.take(transaction, self._workspace.project)
            return lease, runs.last_number(transaction, self._run)

        self._store.database.expect_writing()
        self._lease, self._since = await self._store.write(work)
        self._keeper = asyncio.create_task(self._keep())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let what is on its way be stored, then give the lease back."""
        try:
            await self._pipeline.close()
        except Exception:
            # The error that ended the run is the one to tell.
            if error is None:
                raise
        finally:
            await self._leave()

    async def _leave(self) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
        lease = self.lease
        # A lease that is not given back ends with this process.
        with suppress(StorageError):
            await self._store.write(lambda transaction: leases.release(transaction, lease))

    @property
    def lease(self) -> Lease:
        """The lease that the journal holds on the project; fails while it holds none."""
        assert self._lease is not None
        return self._lease

    @property
    def song(self) -> Song:
        """The working song after everything committed here, whether or not it is stored yet."""
        return self._workspace.song if self._newest is None or self._pipeline.broken else self._newest

    async def note(self, report: Report) -> None:
        """Queue one transaction that stores a report's rows and events; waits only if too many are queued."""
        await self._pipeline.put(partial(self._store_report, report))

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        """Queue one transaction that stores the song after the edits, with a report's rows and events. Raises
        `SongError`, or the error that stopped storing."""
        self._pipeline.refuse_after_fault()
        after = apply_all(self.song, edits)
        if self._newest is None:
            self._root = self._workspace.revision
        self._newest = after
        await self._pipeline.put(partial(self._store_song, after, report))

    def _store_report(self, report: Report, transaction: Transaction) -> _Stored:
        leases.verify(transaction, self.lease)
        runs.record(transaction, self._progress(report))
        return _Stored(report)

    def _store_song(self, song: Song, report: Report, transaction: Transaction) -> _Stored:
        root = self._store.objects.put(transaction, song)
        try:
            projects.move(transaction, self.lease, self._root, root)
        except Stale as stale:
            raise SongMoved(stale.said.what, why=stale.said.why, fix=stale.fix) from None
        runs.record(transaction, self._progress(report, root))
        # Works follow one another on the database's thread, and a fault ends them all.
        self._root = root
        return _Stored(report, (song, root))

    def _show(self, stored: Sequence[_Stored]) -> None:
        """Show the song once, as the newest of them left it, then tell all their events."""
        for one in reversed(stored):
            if one.song is not None:
                self._workspace.show(*one.song)
                break
        for one in stored:
            for event in one.report.events:
                self._events.emit(event)

    def _progress(self, report: Report, revision: ContentHash | None = None) -> RunUpdate:
        now = stamp()
        rows = tuple([stored_row(row, now) for row in report.rows])
        events = tuple([stored_event(event, now) for event in report.events])
        return RunUpdate(self._run, rows, events, revision=revision)

    async def _keep(self) -> None:
        """Renew the lease, and look whether another process asked this run to stop or to rest."""
        loop = asyncio.get_running_loop()
        renewed, seen = loop.time(), -1
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            # What keeps this from working will keep the next row from being stored, and is told there.
            with suppress(StorageError):
                if loop.time() - renewed > _RENEW_EVERY:
                    self._lease = await self._store.write(lambda transaction: leases.renew(transaction, self.lease))
                    renewed = loop.time()
                version = await self._store.database.version()
                if version == seen:
                    # Nobody else has stored anything, and this process asks its own runs itself.
                    continue
                seen = version
                self._heed(*await self._store.read(self._asked))

    def _heed(self, stop: bool, rest: bool) -> None:
        """Do what another program asked, and tell it; what this one asks of its own runs it has done by now."""
        if stop and not self._cancellation.requested():
            self._cancellation.cancel()
            self._events.emit(CancelRequested())
        if rest and not self._cancellation.held():
            self._cancellation.hold()
            self._events.emit(PauseRequested())

    def _asked(self, transaction: Transaction) -> tuple[bool, bool]:
        """Whether someone asked the run to stop, or to rest, since this journal has it."""
        stop, rest = (
            runs.last_event(transaction, self._run, str(fact.__struct_config__.tag)) > self._since
            for fact in (CancelRequested, PauseRequested)
        )
        return stop, rest


def stored_event(event: Event, at: str = "") -> StoredEvent:
    """The event as stored; with an empty `at` it gets the time of storing."""
    fields = msgspec.to_builtins(event)
    kind = fields.pop("kind")
    return StoredEvent(kind, msgspec.json.encode(fields).decode(), at)


def stored_row(row: RowReport, at: str = "") -> StepRecord:
    """The row as stored, with the time `at` (empty: now) as its begin or end."""
    now = at or stamp()
    return StepRecord(
        row.step, row.place, row.item, row.state.value, row.tool, row.key,
        msgspec.json.encode(row.inputs).decode(),
        None if row.result is None else msgspec.json.encode(row.result).decode(),
        row.reason,
        now if row.state is StepState.RUNNING else None,
        now if row.state is StepState.DONE else None,
    )


def read_row(record: StepRecord) -> RowReport:
    """The row from its stored form."""
    result = None if record.result is None else msgspec.json.decode(record.result)
    inputs = msgspec.json.decode(record.inputs)
    return RowReport(
        record.step, record.place, record.tool, StepState(record.state), record.key, record.item, inputs, result,
        record.reason,
    )
