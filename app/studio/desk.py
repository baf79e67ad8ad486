"""A run's desk: the journal and the door to the song, over one transaction each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

import msgspec

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
from app.storage.records import Lease, Progress, StepRecord, stamp
from app.studio.observable import Observable
from app.studio.store import Store
from app.studio.workspace import Workspace

_LOOK_EVERY = 0.4
_RENEW_EVERY = 5.0


class Desk:
    """Implements the ports `Journal` and `SongDoor` for one run; used as a context, it holds the lease."""

    def __init__(
        self, store: Store, workspace: Workspace, run: RunId, events: Observable[Event], cancellation: Cancellation
    ) -> None:
        self._store = store
        self._workspace = workspace
        self._run = run
        self._events = events
        self._cancellation = cancellation
        self._lease: Lease | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._since = 0

    async def __aenter__(self) -> Desk:
        """Take the lease. Raises `Busy` while another process holds the project."""
        def work(transaction: Transaction) -> tuple[Lease, int]:
            lease = self._store.take(transaction, self._workspace.project)
            return lease, runs.last_number(transaction, self._run)

        self._lease, self._since = await self._store.write(work)
        self._keeper = asyncio.create_task(self._keep())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the lease back."""
        if self._keeper is not None:
            self._keeper.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeper
        lease = self.lease
        # The error that ended the run is the one to tell; a lease that is not given back ends with this process.
        with suppress(StorageError):
            await self._store.write(lambda transaction: leases.release(transaction, lease))

    @property
    def lease(self) -> Lease:
        """The lease that is held."""
        assert self._lease is not None
        return self._lease

    @property
    def song(self) -> Song:
        """The working song."""
        return self._workspace.song

    async def settled(self) -> None:
        """Nothing to wait for: `note` and `commit` come back once they are stored."""

    def tell(self, event: Event) -> None:
        """Tell the listeners only."""
        self._events.emit(event)

    async def note(self, report: Report) -> None:
        """Store rows and events in one transaction."""
        def work(transaction: Transaction) -> None:
            leases.verify(transaction, self.lease)
            runs.record(transaction, self._progress(report))

        await self._store.write(work)
        self._announce(report)

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        """Store the song after the edits, rows and events in one transaction."""
        after = apply_all(self._workspace.song, edits)
        expected = self._workspace.revision

        def work(transaction: Transaction) -> ContentHash:
            root = self._store.objects.put(transaction, after)
            projects.move(transaction, self.lease, expected, root)
            runs.record(transaction, self._progress(report, root))
            return root

        try:
            root = await self._store.write(work)
        except Stale as stale:
            raise SongMoved(stale.what, why=stale.why, fix=stale.fix) from None
        self._workspace.show(after, root)
        self._announce(report)

    def _announce(self, report: Report) -> None:
        for event in report.events:
            self._events.emit(event)

    def _progress(self, report: Report, revision: ContentHash | None = None) -> Progress:
        rows = tuple(stored_row(row) for row in report.rows)
        events = tuple(stored_event(event) for event in report.events)
        return Progress(self._run, rows, events, revision=revision)

    async def _keep(self) -> None:
        """Renew the lease, and look whether another process asked this run to stop or to rest."""
        loop = asyncio.get_running_loop()
        renewed = loop.time()
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            # What keeps this from working will keep the next row from being stored, and is told there.
            with suppress(StorageError):
                if loop.time() - renewed > _RENEW_EVERY:
                    self._lease = await self._store.write(lambda transaction: leases.renew(transaction, self.lease))
                    renewed = loop.time()
                stop, rest = await self._store.read(self._asked)
                if stop:
                    self._cancellation.cancel()
                if rest:
                    self._cancellation.hold()

    def _asked(self, transaction: Transaction) -> tuple[bool, bool]:
        """Whether someone asked the run to stop, or to rest, since this desk has it."""
        stop, rest = (
            runs.last_event(transaction, self._run, str(fact.__struct_config__.tag)) > self._since
            for fact in (CancelRequested, PauseRequested)
        )
        return stop, rest


def stored_event(event: Event) -> StoredEvent:
    """The event as the database keeps it."""
    fields = msgspec.to_builtins(event)
    kind = fields.pop("kind")
    return StoredEvent(kind, msgspec.json.encode(fields).decode())


def stored_row(row: RowReport) -> StepRecord:
    """The row as the database keeps it."""
    now = stamp()
    return StepRecord(
        row.step, row.item, row.state.value, row.tool, row.key,
        msgspec.json.encode(row.inputs).decode(),
        None if row.result is None else msgspec.json.encode(row.result).decode(),
        row.reason,
        now if row.state is StepState.RUNNING else None,
        now if row.state is StepState.DONE else None,
    )


def read_row(record: StepRecord) -> RowReport:
    """The row out of the database."""
    result = None if record.result is None else msgspec.json.decode(record.result)
    inputs = msgspec.json.decode(record.inputs)
    return RowReport(
        record.step, record.tool, StepState(record.state), record.key, record.item, inputs, result, record.reason
    )
