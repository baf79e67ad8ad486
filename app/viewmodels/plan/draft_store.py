"""The plan under review outlives the window: kept with every decision, and put up again at the next start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.plan.decision import Change, Reject
from agent.plan.document import Plan
from agent.review.review import Review
from app.storage.errors import StorageError
from app.studio.kept_plans import KeptPlan, KeptPlans
from app.studio.planning import Planning
from app.studio.workspace import Workspace
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.unawaited import Begin


class DraftStore:
    """Stores the plan under review with its decisions after every change, so that it is there when the project is
    opened again. A plan that waits in the queue is stored there instead, and the plan of a draft project is not stored.

    `begin` starts work in the background, whose errors are told."""

    def __init__(
        self, kept: KeptPlans, planning: Planning, workspace: Workspace, reviewing: Reviewing,
        begin: Begin,
    ) -> None:
        self._kept = kept
        self._planning = planning
        self._workspace = workspace
        self._reviewing = reviewing
        self._begin = begin
        self._newest: Proposal | None = None
        self._stored: Proposal | None = None
        self._writing = False
        self._silence = reviewing.proposal.changed.listen(self._changed)

    async def close(self) -> None:
        """Store what is not stored yet, and stop following the review. A storage error is ignored, so that the project
        can be closed."""
        self._silence()
        with suppress(StorageError):
            await self._write()

    async def put_aside(self) -> bool:
        """Store the plan under review, with its decisions, among the plans put aside; False if no plan is under review.

        In a draft project nothing is stored."""
        proposal = self._reviewing.proposal.value
        if proposal is None:
            return False
        if not self._workspace.draft:
            await self._kept.put_aside(
                self._workspace.project, KeptPlan(proposal.plan, tuple(proposal.decisions))
            )
        return True

    async def aside(self) -> tuple[Plan, ...]:
        """The plans that were put aside, the newest last; empty in a draft project."""
        if self._workspace.draft:
            return ()
        return tuple(one.plan for one in await self._kept.aside(self._workspace.project))

    async def take_back(self, plan_hash: str) -> Review | None:
        """Put a plan that was put aside under review again, checked against the song as it is now; None if it is not
        stored any more. Raises errors of that check; the plan stays aside then."""
        found = [one for one in await self._kept.aside(self._workspace.project) if one.plan.hash == plan_hash]
        if not found:
            return None
        judged = await self._put_up(found[-1])
        await self._kept.forget_aside(self._workspace.project, plan_hash)
        return judged

    async def take_up(self, wanted: Callable[[], bool]) -> Review | None:
        """Put the stored plan under review, checked against the song as it is now, and return it; None if none is
        stored, or if `wanted()` is false by then. Raises errors of that check; the plan is deleted then."""
        if self._workspace.draft:
            return None
        kept = await self._kept.find(self._workspace.project)
        if kept is None or not wanted():
            return None
        try:
            return await self._put_up(kept, wanted)
        except BandleaderError:
            await self._kept.forget(self._workspace.project)
            raise

    async def _put_up(self, kept: KeptPlan, wanted: Callable[[], bool] = lambda: True) -> Review | None:
        plan = replace(kept.plan, song_revision=self._workspace.revision)
        judged = await self._planning.judge(plan, self._workspace.song)
        if not wanted():
            return None
        changes = {one.step: one for one in kept.decisions if isinstance(one, Change)}
        rejections = {one.step: one for one in kept.decisions if isinstance(one, Reject)}
        await self._reviewing.take_up(judged, changes, rejections)
        return judged

    def _changed(self, proposal: Proposal | None) -> None:
        self._newest = None if proposal is not None and proposal.run is not None else proposal
        if not self._writing:
            self._writing = True
            self._begin(self._write)

    async def _write(self) -> None:
        """Store the newest; of decisions that come quickly the last is enough."""
        try:
            while self._newest is not self._stored and not self._workspace.draft:
                now = self._newest
                if now is None:
                    await self._kept.forget(self._workspace.project)
                else:
                    await self._kept.keep(self._workspace.project, KeptPlan(now.plan, tuple(now.decisions)))
                self._stored = now
        finally:
            self._writing = False
