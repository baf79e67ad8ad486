"""What models have used and cost: appended, summed."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, update

from agent.song.ids import RunId
from app.storage.records import PlanningId, UsageEntry, stamp
from app.storage.rows import record, values
from app.storage.tables import UsageRow, table


class UsageSum(Struct, frozen=True):
    """Tokens and US dollars of several calls. `input` counts all that was read, `cached` the part of it read from a
    cache; `cost` leaves out the `unpriced` calls, whose price is unknown."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float = 0.0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input + self.output


def append(connection: Connection, entry: UsageEntry) -> None:
    """Store what a call used."""
    connection.execute(insert(table(UsageRow)), values(replace(entry, created=stamp())))


def claim(connection: Connection, planning: PlanningId, run: RunId) -> None:
    """Assign what a planning has used to the run that was made from its plan."""
    rows = table(UsageRow)
    wanted = and_(rows.c.planning == planning, rows.c.run.is_(None))
    connection.execute(update(rows).where(wanted).values(run=run))


def of_month(connection: Connection, month: str) -> UsageSum:
    """The usage of a month such as `2026-11` (UTC)."""
    created = table(UsageRow).c.created
    # The sign after "-" ends the month's times.
    return _sum(connection, and_(created >= f"{month}-", created < f"{month}."))


def since(connection: Connection, moment: str) -> UsageSum:
    """The usage from a moment on, given as `stamp` writes it."""
    return _sum(connection, table(UsageRow).c.created >= moment)


def of_run(connection: Connection, run: RunId) -> UsageSum:
    """The usage of a run, including its planning."""
    return _sum(connection, table(UsageRow).c.run == run)


def of_planning(connection: Connection, planning: PlanningId) -> UsageSum:
    """The usage of one planning."""
    return _sum(connection, table(UsageRow).c.planning == planning)


def _sum(connection: Connection, which: ColumnElement[bool]) -> UsageSum:
    rows = table(UsageRow)
    sums = {name: func.coalesce(func.sum(rows.c[name]), 0) for name in ("input", "output", "cached")}
    wanted = select(
        func.count().label("calls"), *(total.label(name) for name, total in sums.items()),
        func.coalesce(func.sum(rows.c.cost), 0.0).label("cost"),
        func.count().filter(rows.c.cost.is_(None)).label("unpriced"),
    ).where(which)
    return record(connection.execute(wanted).mappings().one(), UsageSum, "the record of what models used")
