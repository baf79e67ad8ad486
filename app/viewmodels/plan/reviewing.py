"""The plan under review: what is proposed, what the person decided, and what would run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from agent.message import msg
from agent.plan.decision import Approval, Change, Decision, Reject
from agent.plan.document import Finding, Plan
from agent.plan.plan import Json
from agent.plan.planning import Revision
from agent.review.decide import decided, fix_for
from agent.review.review import Review
from agent.session.session import NotApproved, Session
from agent.song.changes import Changes
from agent.song.ids import RunId
from agent.song.palette import Instrument, Palette
from app.i18n import tr
from app.studio.planning import Planning
from app.studio.workspace import Workspace
from app.viewmodels.plan.decisions import Decided, DecisionHistory, moved, numbered, obstacle
from app.viewmodels.plan.proposal import Proposal, Trace
from app.viewmodels.plan.replan_diff import ReplanDiff, replan_diff, same_operation
from app.viewmodels.unawaited import Begin, begun
from app.viewmodels.watched import Watched


class Reviewing:
    """Holds the plan under review (`proposal`) and checks it again after every decision and every edit of the song by
    hand."""

    def __init__(
        self, session: Session, planning: Planning, workspace: Workspace, palette: Palette, begin: Begin = begun
    ) -> None:
        self._session = session
        self._planning = planning
        self._workspace = workspace
        self._palette = palette
        self._begin = begin
        self._asked = 0
        self._judging = asyncio.Lock()
        self._silence = workspace.changed.listen(self._song_changed)
        self.proposal: Watched[Proposal | None] = Watched(None)
        self.pending = Watched(False)
        """Whether decisions are still being checked; nothing can be approved meanwhile."""
        self.history = DecisionHistory()
        """Undo and redo of decisions, as long as this plan is under review."""

    def close(self) -> None:
        """Stop following the song."""
        self._silence()

    async def put_up(self, judged: Review, run: RunId | None = None) -> None:
        """Put a new plan up for review in place of the one before; `run` is the queued run that waits for its approval,
        None for a plan that was not queued."""
        self._show(await self._traced(Proposal(judged.plan, judged, judged, self._workspace.song, run=run)))

    async def take_up(
        self, judged: Review, changes: Mapping[str, Change], rejections: Mapping[str, Reject], run: RunId | None = None
    ) -> None:
        """Put a plan up for review with earlier decisions on it: `changes` of inputs and `rejections`, by step id.
        `run` is the queued run that waits for its approval."""
        await self.put_up(judged, run)
        if changes or rejections:
            await self._decide(changes, rejections)

    def _show(self, proposal: Proposal | None) -> None:
        self._asked += 1
        self.history.clear()
        self.pending.set(False)
        self.proposal.set(proposal)

    async def renew(self, judged: Review, revision: Revision) -> ReplanDiff:
        """Put up a new version of the plan with some rows proposed again; decisions on unchanged rows stay. Returns
        what differs.

        If the plan was changed as a whole, by a remark, not by asking for rows, rejected rows stay rejected even if
        they have changed."""
        before, asked_of = self._now(), {step.id: step for step in revision.plan.steps}
        proposed = {step.id: step for step in before.plan.steps}
        same = {
            step.id for step in judged.plan.steps
            if step.id in proposed and step.id not in revision.steps and same_operation(asked_of.get(step.id), step)
        }
        changes = {step: one for step, one in before.changes.items() if step in same}
        there = same if revision.steps else {step.id for step in judged.plan.steps}
        rejections = {step: one for step, one in before.rejections.items() if step in there}
        steps = tuple(proposed[step.id] if step.id in changes else step for step in judged.plan.steps)
        plan, found = replace(judged.plan, steps=steps), replan_diff(revision.plan, judged.plan)
        self._show(await self._traced(
            Proposal(plan, judged, judged, self._workspace.song, {}, {}, found, before.run)
        ))
        if changes or rejections:
            await self._decide(changes, rejections)
        return found

    def discard(self) -> None:
        """Discard the plan under review; the song stays as it is."""
        self._show(None)

    async def reject(self, steps: Iterable[str], reason: str = "") -> None:
        """Reject rows, and with them all rows that need them; `reason` is the person's, in words."""
        now, gone = self._now(), list(steps)
        label = tr("Reject {steps}", steps=self._named(gone))
        await self._decide(now.changes, {**now.rejections, **{step: Reject(step, reason) for step in gone}}, label)

    async def take_in(self, steps: Iterable[str]) -> None:
        """Approve rows that were rejected."""
        now, again = self._now(), frozenset(steps)
        left = {step: one for step, one in now.rejections.items() if step not in again}
        if len(left) != len(now.rejections):
            await self._decide(now.changes, left, tr("Approve {steps}", steps=self._named(again)))

    async def change(self, step: str, inputs: Mapping[str, Json], reason: str = "") -> None:
        """Let the row `step` run with other inputs; `reason` is the person's, in words."""
        now, made = self._now(), Change(step, dict(inputs), reason)
        await self._decide({**now.changes, step: made}, now.rejections, tr("Edit {steps}", steps=self._named([step])))

    async def replace_changes(self, changes: Mapping[str, Change], label: str) -> None:
        """Make `changes`, by step id, the only changed inputs of the plan, as one decision; `label` is its name in the
        undo history."""
        await self._decide(changes, self._now().rejections, label)

    async def back(self, step: str) -> None:
        """Give a changed row its proposed inputs again."""
        now = self._now()
        left = {one: kept for one, kept in now.changes.items() if one != step}
        await self._decide(left, now.rejections, tr("Back to proposal, {steps}", steps=self._named([step])))

    async def move(self, step: str, beside: str, *, below: bool) -> None:
        """Put the row `step` right above the row `beside`, or `below` it. Raises `NotApproved` if it would cross a row
        that it needs, or that needs it."""
        now = self._now()
        refusal = obstacle(now.plan.steps, step, beside, below=below)
        if refusal:
            raise NotApproved(msg("the step was not moved"), why=refusal, fix=msg("choose another place"))
        steps = moved(now.plan.steps, step, beside, below=below)
        if steps != now.plan.steps:
            plan = replace(now.plan, steps=steps)
            await self._decide(now.changes, now.rejections, tr("Move {steps}", steps=self._named([step])), plan)

    async def undo(self) -> None:
        """Undo the last decision."""
        await self._restore(self.history.back(self._decided()))

    async def redo(self) -> None:
        """Redo the decision that was undone last."""
        await self._restore(self.history.again(self._decided()))

    def fix(self, finding: Finding) -> Decision | None:
        """The decision that a click on a finding's mark would make; None if only a person can decide."""
        proposal = self._now()
        return fix_for(finding, proposal.whole.plan, self._instrument(proposal, finding.step))

    async def apply_fix(self, finding: Finding) -> None:
        """Make the decision that `fix` returns for the finding."""
        match self.fix(finding):
            case Reject(step=step, reason=reason):
                await self.reject([step], reason)
            case Change(step=step, inputs=inputs, reason=reason):
                await self.change(step, inputs, reason)

    async def judge_again(self) -> None:
        """Check the plan under review again, on the song as it is now."""
        now = self.proposal.value
        if now is not None:
            await self._decide(now.changes, now.rejections)

    def approve(self, plan_hash: str) -> tuple[Plan, Approval]:
        """The plan that would run and the person's approval of it, as it was shown under `plan_hash`, on the song as it
        is now. Raises `NotApproved` while decisions are being checked, and for any other hash or song."""
        proposal = self._now()
        if self.pending.value:
            raise NotApproved(
                msg("the plan is being checked again"), why=msg("a decision came in"), fix=msg("approve it then"),
            )
        approval = self._session.approve(proposal.judged, plan_hash, self._workspace.revision)
        return proposal.judged.plan, approval

    def _now(self) -> Proposal:
        if self.proposal.value is None:
            raise NotApproved(msg("there is no plan"), fix=msg("write a request first"))
        return self.proposal.value

    def _song_changed(self, _: Changes) -> None:
        if self.proposal.value is not None:
            self.pending.set(True)
            self._begin(self.judge_again)

    def _named(self, steps: Iterable[str]) -> str:
        return numbered(self._now(), frozenset(steps))

    def _decided(self) -> Decided:
        now = self._now()
        return Decided(now.plan, now.changes, now.rejections)

    async def _restore(self, found: Decided | None) -> None:
        if found is not None:
            await self._decide(found.changes, found.rejections, plan=found.plan)

    async def _decide(
        self, changes: Mapping[str, Change], rejections: Mapping[str, Reject], label: str = "",
        plan: Plan | None = None,
    ) -> None:
        """Judge other decisions; of those that come quickly only the last are judged.

        With a label they can be taken back; with a `plan` its rows stand in that order.
        """
        before = self._now()
        if label:
            self.history.keep(label, self._decided())
        self._asked += 1
        asked = self._asked
        self.pending.set(True)
        wanted = replace(before, plan=plan or before.plan, changes=changes, rejections=rejections)
        self.proposal.set(wanted)
        try:
            await self._judge(wanted, asked)
        except BaseException:
            if asked == self._asked:
                self.proposal.set(before)
            raise
        finally:
            if asked == self._asked:
                self.pending.set(False)

    async def _judge(self, wanted: Proposal, asked: int) -> None:
        async with self._judging:
            if asked != self._asked:
                return
            song, revision = self._workspace.song, self._workspace.revision
            bound = replace(wanted.plan, song_revision=revision)
            changed = await asyncio.to_thread(decided, bound, list(wanted.changes.values()))
            whole = judged = await self._planning.judge(changed, song)
            if wanted.rejections:
                kept = await asyncio.to_thread(decided, bound, wanted.decisions)
                judged = await self._planning.judge(kept, song) if kept.steps else Review(kept, None)
            made = replace(wanted, plan=bound, whole=whole, judged=judged, song=song, trace=Trace())
            await self._traced(made)
            if asked == self._asked:
                self.proposal.set(made)

    @staticmethod
    async def _traced(proposal: Proposal) -> Proposal:
        """The proposal, with all that views ask of it at once looked up."""
        def look() -> None:
            _ = proposal.needs, proposal.blocked
            if proposal.judged.preview is not None:
                proposal.trace.of(proposal.judged.preview)

        await asyncio.to_thread(look)
        return proposal

    def _instrument(self, proposal: Proposal, step_id: str) -> Instrument | None:
        """The instrument that plays the clip of a row on the ghost."""
        preview = proposal.whole.preview
        if preview is None or not step_id:
            return None
        made = preview.row(step_id).result
        clip_id = {**proposal.inputs(step_id), **(made if isinstance(made, dict) else {})}.get("clip_id")
        for track, clip in preview.song.clips():
            if clip.id == clip_id:
                known = {one.name: one for one in self._palette.instruments}
                return known.get(track.instrument)
        return None
