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
    """What is known of a row or of one item of it; `place` is the row's in the plan, from 0."""

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
    """What is stored together, all or nothing."""

    rows: tuple[RowReport, ...] = ()
    events: tuple[Event, ...] = ()


class SongMoved(RunError):
    """The song is no longer the one that the run's last step left."""


class Journal(Protocol):
    """Keeps what happened, in the order in which it was noted and committed.

    `note` and `commit` may come back before their report is stored, which a fault can still keep from happening; then
    nothing after it is stored either, and a later call raises that fault. Listeners are told only what is stored.
    """

    async def note(self, report: Report) -> None:
        """Have the report stored in one transaction, then told."""
        ...

    async def settled(self) -> None:
        """Wait until all that was noted and committed before is stored. Raises what kept it from being stored."""
        ...

    def tell(self, event: Event) -> None:
        """Tell the listeners something that need not be stored."""
        ...


class SongDoor(Protocol):
    """The only way to the working song."""

    @property
    def song(self) -> Song:
        """The working song after all that was committed, also where that is not stored yet."""
        ...

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        """Apply the edits at once, and have song and report stored in one transaction, then told.

        Raises `SongError` for an edit that breaks a rule; then nothing is stored. This call or a later one of journal
        or door raises `SongMoved` when the song in store is not that of the run's last step.
        """
        ...
