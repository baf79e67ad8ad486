"""The plan that a person was reviewing, with their decisions, kept for the next start."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from agent.plan.decision import Decision
from agent.plan.document import Plan, read_plan, write_plan
from agent.plan.errors import PlanError
from agent.song.ids import ProjectId
from agent.song.revision import ContentHash
from app.storage import preferences
from app.storage.database import Transaction
from app.storage.errors import Damaged
from app.storage.objects import load_text, put_text
from app.studio.store import Store


class KeptPlan(Struct, frozen=True):
    """A plan as it was proposed, and what was decided on it."""

    plan: Plan
    decisions: tuple[Decision, ...] = ()


class _Stored(Struct, frozen=True):
    plan: ContentHash
    decisions: tuple[Decision, ...] = ()


class KeptPlans:
    """At most one of each project."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep(self, project: ProjectId, kept: KeptPlan) -> None:
        """Keep a plan in the place of the one before."""

        def work(transaction: Transaction) -> None:
            # In the database's thread: writing a plan of thousands of rows takes longer than a frame.
            text = write_plan(kept.plan).decode()
            stored = _Stored(put_text(transaction, text), kept.decisions)
            preferences.put(transaction, _key(project), msgspec.json.encode(stored).decode())

        await self._store.write(work)

    async def find(self, project: ProjectId) -> KeptPlan | None:
        """The plan of a project; one that cannot be read any more is none."""

        def work(transaction: Transaction) -> KeptPlan | None:
            text = preferences.find(transaction, _key(project))
            if text is None:
                return None
            stored = msgspec.json.decode(text, type=_Stored)
            return KeptPlan(read_plan(load_text(transaction, stored.plan).encode(), "the kept plan"), stored.decisions)

        try:
            return await self._store.read(work)
        except (msgspec.DecodeError, PlanError, Damaged):
            return None

    async def forget(self, project: ProjectId) -> None:
        """Keep none any more."""
        await self._store.write(lambda transaction: preferences.forget(transaction, _key(project)))


def _key(project: ProjectId) -> str:
    return f"review.{project}"
