"""What the buttons of a run do: begun, paused, stopped, mended, taken up again and rolled back."""

from __future__ import annotations

from agent.session.run_state import RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.desktop.open_project import OpenProject
from app.desktop.plan.reverted import Reverted
from app.desktop.plan.totals import paused_words
from app.desktop.plan_files import plan_again
from app.studio.running.run_view import RunView
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work
from app.ui.plan.widgets import Strip
from app.words import tr


class RunDeeds:
    """Starts the work behind each wish; questions and refusals appear in the notice strip."""

    def __init__(self, opened: OpenProject, kit: Kit, notice: Strip) -> None:
        self._opened = opened
        self._kit = kit
        self._notice = notice

    def approve_and_run(self, plan_hash: str) -> None:
        """Approve what was shown under this hash, and run it."""
        self._notice.hide()
        self._start(self._opened.asking.run(plan_hash))

    def pause(self) -> None:
        """Let the run rest after the steps under way, or let one that rests go on."""
        self._start(self._opened.running.pause_or_go_on())

    def stop(self) -> None:
        """Stop the run; what is done stays. One that rests ends."""
        self._start(self._opened.running.stop_or_end())

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

    def show_taken_back(self, back: Reverted | None, strip: Strip) -> None:
        """Offer the ways to bring the work of the run that is shown into the song again."""
        if back is None:
            strip.hide()
            return
        answers = []
        if back.made is not None:
            again = tr("Redo") if back.redo is not None else tr("Restore iteration {number}", number=back.again)
            answers.append((again, lambda: self._start(self._bring_work_back(back))))
        answers.append((tr("Bring back as a new plan"), lambda: self._start(self._plan_again())))
        strip.tell(back.words, answers, stays=True)

    async def _bring_work_back(self, back: Reverted) -> None:
        versions = self._opened.versions
        if back.redo is not None:
            await versions.walk_to("redo", back.redo)
        elif back.made is not None:
            await versions.restore(back.made)

    async def _plan_again(self) -> None:
        live = self._opened.running.live.value
        if live is not None:
            await plan_again(self._opened, live.plan)

    def _start(self, work: Work) -> None:
        self._kit.tasks.start(work, "plan")
