"""What the person decides on the plan's rows: approved, rejected, moved, mended, asked for again, discarded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from agent.plan.document import Finding
from app.i18n import tr, trn
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work
from app.ui.plan.widgets import AnswerStrip, AskLine
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.decisions import fallen_words, needed_words, numbered, obstacle, to_take_in
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.rows import PlanRow
from app.viewmodels.plan.scaling import dialled
from app.viewmodels.texts.troubles import Trouble


class Decisions:
    """Carries out decisions on the plan's rows. Questions and refusals appear in `notice`; `line` asks for a text."""

    def __init__(self, opened: OpenProject, kit: Kit, notice: AnswerStrip, line: AskLine) -> None:
        self._opened = opened
        self._reviewing = opened.reviewing
        self._kit = kit
        self._notice = notice
        self._line = line
        self._fixes: dict[tuple[str, str, str], bool] = {}
        self._fixes_of: Proposal | None = None

    @property
    def _proposal(self) -> Proposal | None:
        return self._reviewing.proposal.value

    def approve(self, steps: Sequence[str]) -> None:
        """Approve rows; if they need rejected rows, say so in `notice` and offer to approve those too."""
        if self._proposal is not None:
            self._notice.hide()
            self._start(self._take_in(steps))

    def reject(self, steps: Sequence[str]) -> None:
        """Reject rows; if other rows cannot run without them, say so in `notice` and offer to reject those too."""
        if self._proposal is not None:
            self._notice.hide()
            self._start(self._reject(steps))

    async def _reject(self, steps: Sequence[str]) -> None:
        reviewing, known = self._reviewing, self._proposal
        before = set() if known is None else set(known.blocked)
        deciding = asyncio.ensure_future(reviewing.reject(steps))
        await asyncio.sleep(0)
        now = self._proposal
        fallen = [] if now is None else [step for step in now.needs if step in now.blocked and step not in before]
        if now is not None and fallen:
            self._notice.tell(fallen_words(now, steps, fallen), [
                (trn("Reject it too", "Reject them too", len(fallen)), lambda: self._start(reviewing.reject(fallen))),
                (tr("Undo"), self.undo), (tr("Close"), lambda: None),
            ])
        await deciding

    async def _take_in(self, steps: Sequence[str]) -> None:
        reviewing, now = self._reviewing, self._proposal
        if now is None:
            return
        wanted = to_take_in(now, steps)
        sources = [step for step in wanted if step not in steps]
        if sources:
            self._notice.tell(needed_words(now, steps, sources), [
                (tr("Approve {steps} too", steps=numbered(now, sources)),
                 lambda: self._start(reviewing.take_in(sources))),
                (tr("Leave it rejected") if len(sources) == 1 else tr("Leave them rejected"), lambda: None),
            ])
        await reviewing.take_in([step for step in wanted if step in steps])

    def dial(self, percent: int) -> None:
        """Scale the values that the plan sets to `percent` (0 to 100) of their change."""
        if self._proposal is not None:
            label = tr("How far: {percent} %", percent=percent)
            self._start(self._reviewing.replace_changes(dialled(self._proposal, percent), label))

    def undo(self) -> None:
        """Undo the last decision."""
        if self._reviewing.history.undo.value:
            self._notice.hide()
            self._start(self._reviewing.undo())

    def redo(self) -> None:
        """Redo the decision that was undone last."""
        if self._reviewing.history.redo.value:
            self._notice.hide()
            self._start(self._reviewing.redo())

    def undoable(self) -> tuple[str, str]:
        """The labels of the decisions that undo and redo would take, in this order; each is empty for none."""
        history = self._reviewing.history
        return history.undo.value, history.redo.value

    def obstacle(self, step: str, beside: str, below: bool) -> str:
        """Why the row `step` cannot be put above (or `below`) the row `beside`, in words; empty if it can."""
        return "" if self._proposal is None else obstacle(self._proposal.plan.steps, step, beside, below=below)

    def move(self, step: str, beside: str, below: bool) -> None:
        """Put the row `step` above (or `below`) the row `beside`, or show why it cannot stand there."""
        refusal = self.obstacle(step, beside, below)
        if refusal:
            self._notice.tell(refusal)
        elif self._proposal is not None:
            self._notice.hide()
            self._start(self._reviewing.move(step, beside, below=below))

    def back(self, step: str) -> None:
        """Give a changed row its proposed inputs again."""
        self._start(self._reviewing.back(step))

    # --- marks that one click mends

    def fixable(self, row: PlanRow) -> bool:
        """Whether a finding on the row can be fixed with one click."""
        return any(self._mends(one) for one in row.findings)

    def fix(self, step: str) -> None:
        """Fix the first finding on a row that can be fixed."""
        findings = () if self._proposal is None else self._proposal.judged.plan.lint
        found = next((one for one in findings if one.step == step and self._mends(one)), None)
        if found is not None:
            self._start(self._reviewing.apply_fix(found))

    def _mends(self, finding: Finding) -> bool:
        if self._fixes_of is not self._proposal:
            self._fixes_of, self._fixes = self._proposal, {}
        key = (finding.step, finding.rule, finding.message)
        if key not in self._fixes:
            self._fixes[key] = self._proposal is not None and self._reviewing.fix(finding) is not None
        return self._fixes[key]

    # --- in words

    def reject_because(self, steps: Sequence[str]) -> None:
        """Ask for a reason in the text line and reject rows with it; an empty reason is allowed."""
        self._ask_words(
            steps, lambda named: tr("Reject {steps} because", steps=named),
            tr("the bass is too busy (later plans are told of it)"), tr("Reject"), self._reviewing.reject,
        )

    def again(self, steps: Sequence[str]) -> None:
        """Ask in the text line what should be different (may be empty), then ask the model for new versions of these
        rows. The built-in composer cannot do this, which is shown as an error."""
        if self._known(steps) and self._opened.choosing.chosen.value.local:
            self._kit.troubles.told.emit(Trouble(
                "plan", tr("single steps are not asked for again"), tr("the built-in composer writes only whole plans"),
                tr("choose a model below the request box, edit the step, or ask again for the whole plan"),
            ))
        else:
            self._ask_words(
                steps, lambda named: tr("Ask again for {steps}", steps=named),
                tr("what should be different, if you know"), tr("Ask again"), self._opened.asking.ask_again,
            )

    def afresh(self) -> None:
        """Ask for a new version of the whole plan."""
        if self._proposal is not None:
            self._start(self._opened.asking.ask_afresh())

    def forget_words(self) -> None:
        """Close the text line, as there is no plan any more that its text would be about."""
        if not self._line.isHidden():
            self._line.cancel()

    def _ask_words(
        self, steps: Sequence[str], question: Callable[[str], str], hint: str, verb: str,
        work: Callable[[list[str], str], Work],
    ) -> None:
        def then(words: str) -> None:
            # The plan may be another by the time that the words are written.
            if now := self._known(steps):
                self._start(work(now, words))

        known = self._known(steps)
        if known and self._proposal is not None:
            self._line.ask(question(numbered(self._proposal, known)), hint, verb, then)

    def _known(self, steps: Sequence[str]) -> list[str]:
        """Those rows that are under review."""
        known = {} if self._proposal is None else self._proposal.needs
        return [step for step in steps if step in known]

    def discard(self) -> None:
        """Discard the plan; asks first if decisions of the person would be lost."""
        proposal, discard = self._proposal, self._opened.asking.approving.discard
        if proposal is None:
            return
        lost = len(proposal.changes) + len(proposal.rejections)
        if not lost:
            discard()
            return
        question = trn("Discard this plan and your {count} edit?", "Discard this plan and your {count} edits?", lost)
        self._notice.tell(question, [(tr("Discard"), discard), (tr("Keep"), lambda: None)])

    def _start(self, work: Work) -> None:
        self._kit.tasks.start(work, "plan")
