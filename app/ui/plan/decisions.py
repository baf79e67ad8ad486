"""What the person decides on the plan's rows and runs: approved, rejected, moved, mended, taken up, rolled back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from agent.plan.document import Finding
from agent.session.run_state import RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.i18n import tr, trn
from app.studio.running.run_view import RunView
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work
from app.ui.plan.drawings import Look
from app.ui.plan.widgets import AnswerStrip, AskLine
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.decisions import fallen_words, needed_words, numbered, obstacle, to_take_in
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.reverted import Reverted
from app.viewmodels.plan.rows import PlanRow
from app.viewmodels.plan.scaling import dialled
from app.viewmodels.plan.summary import paused_words
from app.viewmodels.plan_files import plan_again
from app.viewmodels.texts.troubles import Trouble


class RunActions:
    """Carries out actions on runs; questions appear in `notice`. The strip `left_over` has buttons for an unfinished
    run that holds the song, `reverted` for one whose work was taken out of the song."""

    def __init__(self, opened: OpenProject, kit: Kit, look: Look, notice: AnswerStrip) -> None:
        self._opened = opened
        self._running = opened.running
        self._kit = kit
        self._notice = notice
        self.left_over, self.reverted = AnswerStrip(look), AnswerStrip(look)
        self._told: tuple[RunView | None, Reverted | None] = (None, None)

    def retry(self) -> None:
        """Run again the rows that failed or were not reached."""
        live = self._running.live.value
        if live is not None and not live.running and live.failed:
            self.start(self._running.retry())

    def roll_back(self) -> None:
        """Restore the song from before the unfinished or shown run; asks first if later iterations exist."""
        live, left = self._running.live.value, self._running.unfinished.value
        if left is not None:
            self.start(self._roll_back(left.record.id))
        elif live is not None and not live.running:
            self.start(self._roll_back(live.run))

    async def _roll_back(self, run: RunId) -> None:
        running = self._running
        try:
            await running.roll_back(run)
        except NotApproved as refused:
            anyway = tr("Restore the song from before the run anyway? Nothing is lost.")
            self._notice.tell(f"{refused.why[:1].upper()}{refused.why[1:]}. {anyway}", [
                (tr("Restore"), lambda: self.start(running.roll_back(run, over_later=True))),
                (tr("Keep"), lambda: None),
            ])

    def offer(self, left: RunView | None, back: Reverted | None) -> None:
        """Show the buttons for an unfinished run (`left`) and for a run whose work was taken out of the song (`back`);
        None hides them."""
        if left is not self._told[0]:
            self._offer_left(left)
        if back is not self._told[1]:
            self._offer_reverted(back)
        self._told = left, back

    def _offer_left(self, view: RunView | None) -> None:
        if view is None:
            self.left_over.hide()
            return
        run, running = view.record.id, self._running
        done, steps = view.ledger.done, len(view.rows)
        paused = view.state is RunState.WAITING_USER
        said = tr("A run was left in the middle: {done} of {count} steps are done.", done=done, count=steps)
        self.left_over.tell(f"{paused_words(done, steps)}." if paused else said, [
            (tr("Go on") if paused else tr("Resume"), lambda: self.start(running.resume(run))),
            (tr("Keep what is done"), lambda: self.start(running.end(run))),
            (tr("Roll back"), lambda: self.start(self._roll_back(run))),
        ])

    def _offer_reverted(self, back: Reverted | None) -> None:
        if back is None:
            self.reverted.hide()
            return
        answers = []
        if back.made is not None:
            again = tr("Redo") if back.redo is not None else tr("Restore iteration {number}", number=back.again)
            answers.append((again, lambda: self.start(self._bring_work_back(back))))
        answers.append((tr("Bring back as a new plan"), lambda: self.start(self._plan_again())))
        self.reverted.tell(back.words, answers, stays=True)

    async def _bring_work_back(self, back: Reverted) -> None:
        versions = self._opened.versions
        if back.redo is not None:
            await versions.walk_to("redo", back.redo)
        elif back.made is not None:
            await versions.restore(back.made)

    async def _plan_again(self) -> None:
        live = self._running.live.value
        if live is not None:
            await plan_again(self._opened, live.plan)

    def start(self, work: Work) -> None:
        """Start work on the run or the plan; its errors are shown in the plan panel."""
        self._kit.tasks.start(work, "plan")


class Decisions:
    """Carries out decisions on the plan's rows. Questions and refusals appear in `notice`; `line` asks for a text;
    `start` carries work out and tells its errors."""

    def __init__(
        self, opened: OpenProject, kit: Kit, start: Callable[[Work], None], notice: AnswerStrip, line: AskLine
    ) -> None:
        self._opened = opened
        self._reviewing = opened.reviewing
        self._troubles = kit.troubles
        self._start = start
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
            self._decide(self._take_in(steps))

    def reject(self, steps: Sequence[str]) -> None:
        """Reject rows; if other rows cannot run without them, say so in `notice` and offer to reject those too."""
        if self._proposal is not None:
            self._decide(self._reject(steps))

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
            self._decide(self._reviewing.undo())

    def redo(self) -> None:
        """Redo the decision that was undone last."""
        if self._reviewing.history.redo.value:
            self._decide(self._reviewing.redo())

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
            self._decide(self._reviewing.move(step, beside, below=below))

    def _decide(self, work: Work) -> None:
        self._notice.hide()
        self._start(work)

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
            self._troubles.told.emit(Trouble(
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
