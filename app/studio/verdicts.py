"""What a person thought of proposed rows, kept for the next planning of the same project."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from agent.plan.plan import Inputs, Step
from agent.plan.planning import Verdict
from agent.song.ids import ProjectId
from app.storage import verdicts
from app.storage.database import Transaction
from app.storage.records import VerdictRecord
from app.storage.rows import decoded
from app.studio.store import Store

T = TypeVar("T")
_LONGEST_REASON = 2000


class Verdicts:
    """The rows that persons have rejected or changed, by project, stored for later planning."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep(self, project: ProjectId, *told: Verdict) -> None:
        """Store verdicts, oldest first; a reason is cut at 2,000 characters."""
        rows = [_row(project, verdict) for verdict in told]

        def work(connection: Transaction) -> None:
            for row in rows:
                verdicts.append(connection, row)

        await self._store.write(work)

    async def recent(self, project: ProjectId, limit: int = 20) -> tuple[Verdict, ...]:
        """The last verdicts, newest first. Raises `Damaged` for one that is not what was stored."""
        rows = await self._store.read(lambda connection: verdicts.recent(connection, project, limit))
        return tuple([_verdict(row) for row in rows])


def _row(project: ProjectId, verdict: Verdict) -> VerdictRecord:
    changed = None if verdict.changed_to is None else msgspec.json.encode(verdict.changed_to).decode()
    step = msgspec.json.encode(verdict.step).decode()
    return VerdictRecord(project, verdict.request, step, verdict.deed, verdict.reason[:_LONGEST_REASON], changed)


def _verdict(row: VerdictRecord) -> Verdict:
    changed = None if row.changed is None else _decoded(row.changed, Inputs)
    return Verdict(row.request, _decoded(row.step, Step), row.deed, row.reason, changed)


def _decoded(text: str, kind: type[T]) -> T:
    value: T = decoded(text, kind, "a verdict", "restore the newest backup")
    return value
