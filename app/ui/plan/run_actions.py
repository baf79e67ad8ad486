"""What the buttons of a run do: mended, rolled back, taken up where it was left, brought back where it was reverted."""

from __future__ import annotations

from agent.session.run_state import RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.i18n import tr
from app.studio.running.run_view import RunView
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work
from app.ui.plan.look import Look
from app.ui.plan.widgets import AnswerStrip
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.reverted import Reverted
from app.viewmodels.plan.totals import paused_words
from app.viewmodels.plan_files import plan_again


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
