"""What the person decides on the plan's rows: approved, rejected, moved, mended, taken back, discarded."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.plan.document import Finding
from app.desktop.open_project import OpenProject
from app.desktop.plan.decisions import fallen_words, needed_words, numbered, obstacle
from app.desktop.plan.rows import PlanRow, PlanTable, to_take_in
from app.desktop.plan.scaling import dialled
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work
from app.ui.plan.widgets import Strip
from app.words import tr, trn


class Decisions:
    """Starts the work behind each decision; questions and refusals appear in the notice strip."""

    def __init__(self, opened: OpenProject, kit: Kit, notice: Strip) -> None:
        self._opened = opened
        self._kit = kit
        self._notice = notice
        self._fixes: dict[tuple[str, str, str], bool] = {}

    def decide(self, table: PlanTable, steps: Sequence[str], approved: bool) -> None:
        """Approve rows, with the rejected ones that they need, or reject them."""
        if self._opened.reviewing.proposal.value is not None:
            self._notice.hide()
            self._start(self._take_in(table, steps) if approved else self._reject(steps))

    async def _reject(self, steps: Sequence[str]) -> None:
        """Reject rows; for those that fall with them it is offered to reject them too."""
        reviewing = self._opened.reviewing
        known = reviewing.proposal.value
        before = set() if known is None else set(known.blocked)
        deciding = asyncio.ensure_future(reviewing.reject(steps))
        await asyncio.sleep(0)
        now = reviewing.proposal.value
        fallen = [] if now is None else [step for step in now.needs if step in now.blocked and step not in before]
        if now is not None and fallen:
            self._notice.tell(fallen_words(now, steps, fallen), [
                (trn("Reject it too", "Reject them too", len(fallen)), lambda: self._start(reviewing.reject(fallen))),
                (tr("Undo"), self.undo), (tr("Close"), lambda: None),
            ])
        await deciding

    async def _take_in(self, table: PlanTable, steps: Sequence[str]) -> None:
        """Approve rows; for the rejected ones that they need it is offered to approve those too."""
        reviewing, wanted = self._opened.reviewing, to_take_in(table, steps)
        sources = [step for step in wanted if step not in steps]
        now = reviewing.proposal.value
        if sources and now is not None:
            self._notice.tell(needed_words(now, steps, sources), [
                (tr("Approve {steps} too", steps=numbered(now, sources)),
                 lambda: self._start(reviewing.take_in(sources))),
                (tr("Leave it rejected") if len(sources) == 1 else tr("Leave them rejected"), lambda: None),
            ])
        await reviewing.take_in([step for step in wanted if step in steps])

    def dial(self, percent: int) -> None:
        """Let the values of the plan go only so far."""
        reviewing = self._opened.reviewing
        proposal = reviewing.proposal.value
        if proposal is not None:
            label = tr("How far: {percent} %", percent=percent)
            self._start(reviewing.replace_changes(dialled(proposal, percent), label))

    def undo(self) -> None:
        """Take the last decision back."""
        if self._opened.reviewing.history.undo.value:
            self._notice.hide()
            self._start(self._opened.reviewing.undo())

    def redo(self) -> None:
        """Decide again what was taken back last."""
        if self._opened.reviewing.history.redo.value:
            self._notice.hide()
            self._start(self._opened.reviewing.redo())

    def undoable(self) -> tuple[str, str]:
        """What would be taken back, and brought again; empty for nothing."""
        history = self._opened.reviewing.history
        return history.undo.value, history.redo.value

    def obstacle(self, step: str, beside: str, below: bool) -> str:
        """Why a row cannot stand beside another one."""
        proposal = self._opened.reviewing.proposal.value
        return "" if proposal is None else obstacle(proposal.plan.steps, step, beside, below=below)

    def move(self, step: str, beside: str, below: bool) -> None:
        """Put a row beside another one, or say why it cannot stand there."""
        refusal = self.obstacle(step, beside, below)
        if refusal:
            self._notice.tell(refusal, [(tr("Close"), lambda: None)])
        elif self._opened.reviewing.proposal.value is not None:
            self._notice.hide()
            self._start(self._opened.reviewing.move(step, beside, below=below))

    def back(self, step: str) -> None:
        """A changed row as it was proposed."""
        self._start(self._opened.reviewing.back(step))

    def fixable(self, row: PlanRow) -> bool:
        """Whether one click mends a mark of the row."""
        return self._fix_of(row) is not None

    def forget_fixes(self) -> None:
        """The plan was judged again."""
        self._fixes.clear()

    def fix(self, table: PlanTable, step: str) -> None:
        """Mend the first mark of a row that can be mended."""
        row = next((row for row in table.rows if row.id == step), None)
        finding = None if row is None else self._fix_of(row)
        if finding is not None:
            self._start(self._opened.reviewing.apply_fix(finding))

    def _fix_of(self, row: PlanRow) -> Finding | None:
        return next((one for one in row.findings if self._mends(one)), None)

    def _mends(self, finding: Finding) -> bool:
        key = (finding.step, finding.rule, finding.message)
        if key not in self._fixes:
            reviewing = self._opened.reviewing
            self._fixes[key] = reviewing.proposal.value is not None and reviewing.fix(finding) is not None
        return self._fixes[key]

    def discard(self) -> None:
        """Take the plan away; asks when decisions of the person would be lost."""
        proposal = self._opened.reviewing.proposal.value
        if proposal is None:
            return
        lost = len(proposal.changes) + len(proposal.rejections)
        if not lost:
            self._opened.asking.discard()
            return
        question = trn("Discard this plan and your {count} edit?", "Discard this plan and your {count} edits?", lost)
        self._notice.tell(question, [(tr("Discard"), self._opened.asking.discard), (tr("Keep"), lambda: None)])

    def _start(self, work: Work) -> None:
        self._kit.tasks.start(work, "plan")
