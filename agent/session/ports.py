"""What a run needs from whoever keeps songs and runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from agent.plan.ledger import StepState
from agent.plan.plan import Inputs, Json
from agent.session.events import Event
from agent.session.run_state import RunError
from agent.song.edits import Edit
from agent.song.song import Song

ROW = -1
"""The item number of a row itself; items of its fan-out count from 0."""


class RowReport(Struct, frozen=True):
    """The state of a row or of one item of it (`item` -1: the row); `place` is the row's index in the plan, from 0.
    `key` is its idempotency key, `reason` says why it failed or was skipped."""

    step: str
    place: int
    tool: str
    state: StepState
    key: str
    item: int = ROW
    inputs: Inputs = {}
    result: Json = None
    reason: str = ""


class Report(Struct, frozen=True):
    """Rows and events that are stored together, all or nothing."""

    rows: tuple[RowReport, ...] = ()
    events: tuple[Event, ...] = ()


class SongMoved(RunError):
    """The stored song differs from the one that the run's last step left."""


class Journal(Protocol):
    """Stores what happens in a run, in order. `note` and `commit` may return before their report is stored. If
    storing fails, nothing later is stored either, and a later call raises that error. Listeners only learn of what
    is stored."""

    async def note(self, report: Report) -> None:
        """Store the report in one transaction, then emit its events."""
        ...

    async def settled(self) -> None:
        """Wait until everything noted and committed is stored. Raises the error that prevented it."""
        ...

    def tell(self, event: Event) -> None:
        """Emit an event that is not stored."""
        ...


class SongDoor(Protocol):
    """Access to the working song; the only one that a run has."""

    @property
    def song(self) -> Song:
        """The working song after all commits, whether or not they are stored yet."""
        ...

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        """Apply the edits at once, and store song and report in one transaction. Raises `SongError` for an edit that
        breaks a rule; nothing is stored then. This or a later call of journal or door raises `SongMoved` if the stored
        song is not that of the run's last step."""
        ...
