"""What the buttons of the plan do: decisions, edits, listening, running, repairing and taking back."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QWidget

from agent.plan.document import Finding
from agent.session.run_state import RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from agent.song.time import Ticks
from app.desktop.open_project import OpenProject
from app.desktop.review.deciding import fallen_words, needed_words, numbered
from app.desktop.review.looping import span_to_compare
from app.desktop.review.scaling import dialled
from app.desktop.steps.ordering import obstacle
from app.desktop.steps.row_previews import start_of
from app.desktop.table.plan_rows import PlanRow, PlanTable, to_take_in
from app.desktop.table.plan_totals import paused_words
from app.desktop.texts.troubles import Trouble
from app.studio.running.run_view import RunView
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work
from app.ui.plan.editing import Editing
from app.ui.plan.look import Look
from app.ui.plan.step_form import StepForm
from app.ui.plan.widgets import Strip
from app.words import tr, trn


class Deeds:
    """Starts the work behind each wish; questions and refusals appear in the notice strip."""

    def __init__(self, opened: OpenProject, kit: Kit, parent: QWidget, look: Look, notice: Strip) -> None:
        self._opened = opened
        self._kit = kit
        self._notice = notice
        self._fixes: dict[tuple[str, str, str], bool] = {}
        self._editing = Editing(opened, parent, look, self._start)

    def close(self) -> None:
        """Close what is open."""
        self._editing.close()

    def tell(self, trouble: Trouble) -> None:
        """Show an error in place."""
        text = ". ".join(part[:1].upper() + part[1:] for part in (trouble.what, trouble.why, trouble.fix) if part)
        self._notice.tell(text, [(tr("Close"), lambda: None)], bad=True)

    # --- decisions

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

    # --- editing

    @property
    def form(self) -> StepForm | None:
        """The form that is open."""
        return self._editing.form

    def edit(self, row: PlanRow, numbers: Mapping[str, int]) -> None:
        """Ask for other inputs: of a proposed row, or of one that failed."""
        self._editing.edit(row, numbers)

    def repair(self, row: PlanRow, numbers: Mapping[str, int]) -> None:
        """Ask the model for other inputs of a row that failed, or ask no more."""
        self._notice.hide()
        self._editing.repair(row, numbers)

    # --- listening

    def hear(self) -> None:
        """Play the song as the plan, or edits that wait, would make it."""
        other = self._opened.listening.other.value
        if other is not None and other.kind == "plan":
            self._opened.focus.side.set("plan")
        self._start(self._opened.playback.play())

    def loop(self, steps: Sequence[str]) -> None:
        """Repeat the chosen bars, else what these rows change; or nothing any more."""
        opened = self._opened
        playback, focus = opened.playback, opened.focus
        if playback.state.value.looping:
            playback.set_loop(playback.state.value.loop, False)
            return
        span = span_to_compare(opened.workspace.song, opened.reviewing.proposal.value, steps, focus.bars.value)
        playback.set_loop(span, span is not None)
        if span is not None and not span[0] <= playback.position() < span[1]:
            playback.seek(span[0])

    def hear_row(self, table: PlanTable, step: str) -> None:
        """Play from where a row writes."""
        row = next((row for row in table.rows if row.id == step), None)
        if row is not None and row.facts.start is not None:
            self._opened.playback.seek(Ticks(row.facts.start))
            self.hear()

    def hear_edits(self, step: str) -> None:
        """Play from where the edits that wait in a row begin."""
        live = self._opened.running.live.value
        waiting = None if live is None else live.gathered.get(step)
        if waiting is not None:
            start = start_of(waiting.ghost.row(step))
            if start is not None:
                self._opened.playback.seek(Ticks(start))
            self.hear()

    def toggle_side(self) -> None:
        """A or B; where there is nothing to compare with, only the song."""
        self._opened.listening.toggle()

    # --- the run

    def approve_and_run(self, plan_hash: str) -> None:
        """Approve what was shown under this hash, and run it."""
        self._notice.hide()
        self._start(self._opened.asking.run(plan_hash))

    def pause(self) -> None:
        """Let the run rest after the steps under way, or let one that rests go on."""
        running = self._opened.running
        left = running.unfinished.value
        if running.busy:
            self._start(running.pause())
        elif left is not None:
            self._start(running.resume(left.record.id))

    def stop(self) -> None:
        """Stop the run; what is done stays. One that rests ends."""
        running = self._opened.running
        left = running.unfinished.value
        if running.busy:
            running.stop()
        elif left is not None:
            self._start(running.end(left.record.id))

    def retry(self) -> None:
        """Run again what failed and was not reached."""
        live = self._opened.running.live.value
        if live is not None and not live.running and live.failed:
            self._start(self._opened.running.retry())

    def skip(self, step: str) -> None:
        """Leave a row that needs the person out, and go on."""
        self._start(self._opened.running.skip(step))

    def approve_edits(self, step: str) -> None:
        """Put the edits that wait in a row into the song, and go on."""
        self._notice.hide()
        self._start(self._opened.running.approve(step))

    def roll_back(self) -> None:
        """Restore the song from before the run that was left or is shown; asks if later iterations exist."""
        running = self._opened.running
        live, left = running.live.value, running.unfinished.value
        if left is not None:
            self._start(self._roll_back(left.record.id))
        elif live is not None and not live.running:
            self._start(self._roll_back(live.run))

    async def _roll_back(self, run: RunId) -> None:
        try:
            await self._opened.running.roll_back(run)
        except NotApproved as refused:
            anyway = tr("Restore the song from before the run anyway? Nothing is lost.")
            question = f"{refused.why[:1].upper()}{refused.why[1:]}. {anyway}"
            again = self._opened.running
            self._notice.tell(question, [
                (tr("Restore"), lambda: self._start(again.roll_back(run, over_later=True))), (tr("Keep"), lambda: None),
            ])

    def show_left_over(self, view: RunView | None, strip: Strip) -> None:
        """Offer the ways on with a run that holds the song and that nobody carries out."""
        if view is None:
            strip.hide()
            return
        run, running = view.record.id, self._opened.running
        done, steps = view.ledger.done, len(view.rows)
        paused = view.state is RunState.WAITING_USER
        said = tr("A run was left in the middle: {done} of {count} steps are done.", done=done, count=steps)
        strip.tell(f"{paused_words(done, steps)}." if paused else said, [
            (tr("Go on") if paused else tr("Resume"), lambda: self._start(running.resume(run))),
            (tr("Keep what is done"), lambda: self._start(running.end(run))),
            (tr("Roll back"), lambda: self._start(self._roll_back(run))),
        ])

    def _start(self, work: Work) -> None:
        self._kit.tasks.start(work, "plan")
