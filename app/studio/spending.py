"""What models have used and cost, and how much of it is allowed."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import UTC, date, datetime, time

from msgspec import Struct

from agent.message import msg
from agent.providers.errors import ProviderError
from agent.song.ids import RunId
from app.storage import usage
from app.storage.errors import StorageError
from app.storage.records import PlanningId, UsageEntry, stamp
from app.storage.usage import UsageSum
from app.studio.store import Store


class Caps(Struct, frozen=True):
    """The most that models may cost, in US dollars; None is no limit. A month is a calendar month, UTC."""

    per_run: float | None = None
    per_month: float | None = None


class Allowance(Struct, frozen=True):
    """A cap in US dollars (None for none), and what is spent of it already."""

    cap: float | None = None
    spent: float = 0.0


class SpendingRecord:
    """The stored usage of models. Costs are those computed when the call was made."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._trouble: StorageError | None = None

    def record(self, entry: UsageEntry) -> None:
        """Store the usage of a call without waiting; later queries include it."""
        stored = self._store.database.write_soon(lambda connection: usage.append(connection, entry))
        stored.add_done_callback(self._look)

    def _look(self, stored: Future[None]) -> None:
        trouble = stored.exception()
        if isinstance(trouble, StorageError):
            self._trouble = trouble

    async def month(self, month: str = "") -> UsageSum:
        """The usage of a month such as `2026-11`; empty for the current one (UTC)."""
        wanted = month or datetime.now(UTC).strftime("%Y-%m")
        return await self._store.read(lambda connection: usage.of_month(connection, wanted))

    async def day(self, day: date) -> UsageSum:
        """The usage since the beginning of a day in local time."""
        began = stamp(datetime.combine(day, time()))
        return await self._store.read(lambda connection: usage.since(connection, began))

    async def of_run(self, run: RunId) -> UsageSum:
        """The usage of a run, including its planning."""
        return await self._store.read(lambda connection: usage.of_run(connection, run))

    async def of_planning(self, planning: PlanningId) -> UsageSum:
        """The usage of one planning."""
        return await self._store.read(lambda connection: usage.of_planning(connection, planning))

    async def allowance(
        self, caps: Caps, run: RunId | None = None, planning: PlanningId | None = None
    ) -> Allowance:
        """The cap that has the least left, with what is spent of it. Without a run, what the planning has used counts
        as the run's. Raises `ProviderError` (cap) if nothing is left, and `StorageError` if an earlier usage could not
        be stored."""
        if self._trouble is not None:
            trouble, self._trouble = self._trouble, None
            raise trouble
        rests: list[tuple[float, Allowance]] = []
        if caps.per_run is not None:
            used = await self._of(run, planning)
            rests.append(_rest(caps.per_run, used.cost, "one run"))
        if caps.per_month is not None:
            rests.append(_rest(caps.per_month, (await self.month()).cost, "a month"))
        return min(rests, key=lambda rest: rest[0])[1] if rests else Allowance()

    async def _of(self, run: RunId | None, planning: PlanningId | None) -> UsageSum:
        if run is not None:
            return await self.of_run(run)
        return UsageSum() if planning is None else await self.of_planning(planning)


def _rest(cap: float, spent: float, what: str) -> tuple[float, Allowance]:
    if spent >= cap:
        raise ProviderError(
            "cap", msg("the spending cap for {what} is reached", what=what),
            why=msg("${spent:.2f} of ${cap:.2f} are spent", spent=spent, cap=cap),
            fix=msg("raise the cap in the settings, or plan with the composer, which costs nothing"),
        )
    return cap - spent, Allowance(cap, spent)
