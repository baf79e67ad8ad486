"""The plan that a person was reviewing, kept with their decisions for the next start, and those that were put aside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

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

_LARGEST = 64_000_000
"""Most characters of the stored decisions on a plan, which include notes that a person wrote into its rows."""
MOST_ASIDE = 20
"""Number of plans of a project that are stored as put aside; beyond it the oldest is deleted."""


class KeptPlan(Struct, frozen=True):
    """A plan as proposed, and the person's decisions on its rows."""

    plan: Plan
    decisions: tuple[Decision, ...] = ()


class _Stored(Struct, frozen=True):
    plan: ContentHash
    decisions: tuple[Decision, ...] = ()


class _Aside(Struct, frozen=True):
    plans: tuple[_Stored, ...] = ()


class KeptPlans:
    """Stores for each project the plan under review, and up to `MOST_ASIDE` plans that were put aside."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep(self, project: ProjectId, kept: KeptPlan) -> None:
        """Store the plan under review, in place of the one before."""

        def work(transaction: Transaction) -> None:
            stored = _put(transaction, kept)
            preferences.put(transaction, _key(project), msgspec.json.encode(stored).decode())

        await self._store.write(work)

    async def find(self, project: ProjectId) -> KeptPlan | None:
        """The plan under review of a project; None if there is none or it cannot be read."""

        def work(transaction: Transaction) -> KeptPlan | None:
            stored = preferences.read(transaction, _key(project), _Stored, _LARGEST)
            return None if stored is None else _load(transaction, stored)

        try:
            return await self._store.read(work)
        except (PlanError, Damaged):
            return None

    async def forget(self, project: ProjectId) -> None:
        """Delete the plan under review."""
        await self._store.write(lambda transaction: preferences.forget(transaction, _key(project)))

    async def put_aside(self, project: ProjectId, kept: KeptPlan) -> None:
        """Store a plan as the newest of those put aside."""

        def work(transaction: Transaction) -> None:
            stored = _put(transaction, kept)
            others = [one for one in _aside(transaction, project) if one.plan != stored.plan]
            _put_aside(transaction, project, (*others, stored)[-MOST_ASIDE:])

        await self._store.write(work)

    async def aside(self, project: ProjectId) -> tuple[KeptPlan, ...]:
        """Plans put aside, the newest last; unreadable ones are left out."""

        def work(transaction: Transaction) -> tuple[KeptPlan, ...]:
            return tuple(kept for _, kept in _readable(transaction, project))

        return await self._store.read(work)

    async def forget_aside(self, project: ProjectId, plan_hash: str) -> None:
        """Delete the plan of that hash from those put aside."""

        def work(transaction: Transaction) -> None:
            left = tuple(one for one, kept in _readable(transaction, project) if kept.plan.hash != plan_hash)
            _put_aside(transaction, project, left)

        await self._store.write(work)


def _put(transaction: Transaction, kept: KeptPlan) -> _Stored:
    # In the database's thread: writing a plan of thousands of rows takes longer than a frame.
    return _Stored(put_text(transaction, write_plan(kept.plan).decode()), kept.decisions)


def _load(transaction: Transaction, stored: _Stored) -> KeptPlan:
    return KeptPlan(read_plan(load_text(transaction, stored.plan).encode(), "the kept plan"), stored.decisions)


def _aside(transaction: Transaction, project: ProjectId) -> tuple[_Stored, ...]:
    try:
        found = preferences.read(transaction, _aside_key(project), _Aside, _LARGEST)
    except Damaged:
        return ()
    return () if found is None else found.plans


def _readable(transaction: Transaction, project: ProjectId) -> Iterator[tuple[_Stored, KeptPlan]]:
    for stored in _aside(transaction, project):
        with suppress(PlanError, Damaged):
            yield stored, _load(transaction, stored)


def _put_aside(transaction: Transaction, project: ProjectId, plans: tuple[_Stored, ...]) -> None:
    preferences.put(transaction, _aside_key(project), msgspec.json.encode(_Aside(plans)).decode())


def _key(project: ProjectId) -> str:
    return f"review.{project}"


def _aside_key(project: ProjectId) -> str:
    return f"aside.{project}"
