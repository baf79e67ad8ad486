"""The plan: reviewed row by row, approved, watched while it runs, and mended where it failed."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from agent.plan.plan import Step
from agent.session.run_state import RunState
from app.desktop.open_project import OpenProject
from app.desktop.plan_rows import PlanTable, RowReader
from app.desktop.plan_totals import elapsed, ledger_of, totals
from app.desktop.reviewing import Proposal
from app.desktop.row_states import Mark
from app.desktop.running import LiveRun
from app.desktop.troubles import Trouble
from app.desktop.watched import Watched
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.plan.ask_line import AskLine
from app.ui.plan.deeds import Deeds
from app.ui.plan.draft import DraftTable
from app.ui.plan.footer import Footer
from app.ui.plan.look import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.stories import Stories, needing
from app.ui.plan.story import Story
from app.ui.plan.top_bar import Filter, TopBar, filtered
from app.ui.plan.view import PlanView
from app.ui.plan.widgets import ProgressCells, Strip, Words
from app.ui.plan.wishes import Wishes
from app.ui.plan.words import about, error_words, refusal

_REFRESH = 33
_RUN_REFRESH = 200
"""Milliseconds; rows of a long plan would else wait for the table that shows them."""
_SECOND = 1000
_EMPTY, _TABLE, _DRAFT = 0, 1, 2
NO_PLAN = "No plan yet. Write a request in the chat."


class PlanPanel(QWidget):
    """Shows the proposal of a project, else its run, else that there is no plan.

    The window calls the public methods from its shortcuts. `badge` is the number on the tab: "14", "9/14".
    """

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("plan")
        self.setAccessibleName("Plan")
        self._opened = opened
        self.badge = Watched("")
        look = Look(kit.theme)
        self._reader = RowReader(opened.studio.registry, opened.studio.palette)
        self.model = PlanModel(self)
        self.view = PlanView(self.model, look)
        self.footer = Footer(look)
        self.top = TopBar(look)
        self.cells = ProgressCells(look)
        self.notice = Strip(look)
        self.left_over = Strip(look)
        self.details = Words(look, tone="t2", wrap=True)
        self._filter = Filter.ALL
        self._table = PlanTable()
        self._plan_shown = ""
        self._folded: set[str] = set()
        self._was_running = False
        self._by_hover = False
        self._chosen: str | None = None
        self.deeds = Deeds(opened, kit, self, look, self.notice)
        self.line = AskLine(look)
        self.wishes = Wishes(opened, kit, self.line, lambda: self._table)
        self.draft = DraftTable(look, opened.studio.palette)
        self._stories = Stories(self.view, self.model, look, self._join)
        self._soon = Coalesced(_REFRESH, self.refresh, self, kit.turns)
        self._later = Coalesced(_RUN_REFRESH, self.refresh, self, kit.turns)
        self._clock = QTimer(self)
        self._clock.setInterval(_SECOND)
        self._clock.timeout.connect(self._tick)
        self._lay_out(look)
        self._connect()
        self._subscriptions = Subscriptions()
        self._listen(kit)
        self.refresh()

    # --- for the window

    def approve_and_run(self) -> None:
        """Approve exactly what is shown, and run it."""
        if self._opened.reviewing.proposal.value is None:
            return
        if self.footer.proposed.refusal:
            self._trouble(Trouble("plan", "the plan was not approved", self.footer.proposed.refusal))
        else:
            self.deeds.approve_and_run(self._plan_shown)

    def hear(self) -> None:
        """Play the song as the plan would make it."""
        self.deeds.hear()

    def toggle_side(self) -> None:
        """A or B."""
        self.deeds.toggle_side()

    def discard(self) -> None:
        """Take the plan away; asks if edits would be lost."""
        self.deeds.discard()

    def approve_all(self) -> None:
        """Approve every row that is shown."""
        self.view.decide_all(True)

    def approve_none(self) -> None:
        """Reject every row that is shown."""
        self.view.decide_all(False)

    def toggle_row(self) -> None:
        """Approve or reject the current row."""
        self.view.toggle(self.view.currentIndex())

    def edit_row(self) -> None:
        """Edit the current row."""
        self._edit(self.view.step() or "")

    def reject_with_reason(self) -> None:
        """Reject the selected rows, and say why."""
        self.wishes.reject(self.view.steps())

    def ask_again(self) -> None:
        """Ask for the selected rows again, and say what should be different."""
        self.wishes.again(self.view.steps())

    def ask_afresh(self) -> None:
        """Ask for the whole plan again."""
        self.wishes.afresh()

    def retry(self) -> None:
        """Run again what failed and was not reached."""
        self.deeds.retry()

    def stop(self) -> None:
        """Stop the run; what is done stays."""
        if self._opened.running.busy:
            self._opened.running.stop()

    def close_view(self) -> None:
        """End listening and timers."""
        self._subscriptions.close()
        self._soon.drop()
        self._later.drop()
        self._clock.stop()
        self.view.turn_rings(False)
        self.deeds.close()

    # --- construction

    def _lay_out(self, look: Look) -> None:
        self.details.hide()
        self.details.setContentsMargins(12, 6, 12, 8)
        empty = QWidget()
        middle = QVBoxLayout(empty)
        words = Words(look, NO_PLAN, "t3")
        middle.addStretch()
        middle.addWidget(words)
        middle.setAlignment(words, words.alignment().AlignHCenter)
        middle.addStretch()
        table = QWidget()
        inner = QVBoxLayout(table)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        for widget in (self.top, self.details, self.cells):
            inner.addWidget(widget)
        inner.addWidget(self.view, 1)
        inner.addWidget(self.footer)
        self._pages = QStackedWidget()
        self._pages.addWidget(empty)
        self._pages.addWidget(table)
        self._pages.addWidget(self.draft)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.left_over)
        outer.addWidget(self.notice)
        outer.addWidget(self.line)
        outer.addWidget(self._pages, 1)

    def _connect(self) -> None:
        view, proposed, ran = self.view, self.footer.proposed, self.footer.ran
        view.decide.connect(lambda steps, approved: self.deeds.decide(self._table, steps, approved))
        view.edit_asked.connect(self._edit)
        view.back_asked.connect(self.deeds.back)
        view.reason_asked.connect(self.wishes.reject)
        view.again_asked.connect(self.wishes.again)
        view.afresh_asked.connect(self.wishes.afresh)
        self.line.closed.connect(view.setFocus)
        view.fix_asked.connect(lambda step: self.deeds.fix(self._table, step))
        view.hear_asked.connect(lambda step: self.deeds.hear_row(self._table, step))
        view.chosen.connect(lambda step: self._opened.focus.step.set(step or None))
        view.hovered.connect(self._hover)
        view.cells.fixable = self.deeds.fixable
        for signal, act in (
            (proposed.discard, self.discard), (proposed.again, self.ask_afresh), (proposed.hear, self.hear),
            (proposed.side, self.toggle_side),
            (proposed.run, self.approve_and_run), (ran.stop, self.stop), (ran.retry, self.retry),
            (ran.roll_back, self.deeds.roll_back),
        ):
            signal.connect(act)
        self.top.filtered.connect(self._choose_filter)
        self.top.details.connect(self.details.setVisible)

    def _join(self, step: str, story: Story) -> None:
        story.edit.connect(lambda: self._edit(step))
        story.retry.connect(self.retry)
        story.skip.connect(lambda: self.deeds.skip(step))
        story.roll_back.connect(self.deeds.roll_back)

    def _listen(self, kit: Kit) -> None:
        opened, keep = self._opened, self._subscriptions.add
        keep(opened.reviewing.proposal.changed.listen(self._proposed))
        keep(opened.reviewing.pending.changed.listen(lambda _: self._soon.ask()))
        keep(opened.asking.drafting.changed.listen(lambda _: self._soon.ask()))
        keep(opened.running.live.changed.listen(self._ran))
        keep(opened.running.unfinished.watch(self.deeds.show_left_over(self.left_over)))
        keep(opened.focus.step.watch(self._light))
        keep(opened.focus.side.changed.listen(lambda _: self._soon.ask()))
        keep(kit.troubles.told.listen(self._trouble))

    # --- showing

    def refresh(self) -> None:
        """Show the state of the moment; the window does so by itself soon after each change."""
        proposal, live = self._opened.reviewing.proposal.value, self._opened.running.live.value
        running, drafting = live is not None and live.running, self._opened.asking.drafting.value
        if proposal is None:
            self.wishes.forget()
        if proposal is None and drafting and not running:
            self._show_draft(drafting)
            return
        if proposal is not None:
            self._show_proposal(proposal)
        elif live is not None:
            self._show_run(live)
        else:
            self._show(PlanTable())
            self.badge.set("")
        self._pages.setCurrentIndex(_TABLE if proposal is not None or live is not None else _EMPTY)
        busy = proposal is None and running
        self.view.turn_rings(busy)
        (self._clock.start if busy else self._clock.stop)()

    def _show_draft(self, steps: tuple[Step, ...]) -> None:
        """Rows of a plan that is being written stand in the place of what was there before."""
        self.draft.show_steps(steps)
        self._pages.setCurrentIndex(_DRAFT)
        self.badge.set("")
        self.view.turn_rings(False)

    def _show_proposal(self, proposal: Proposal) -> None:
        self.deeds.forget_fixes()
        self._table = self._reader.proposal(proposal)
        found = totals(self._table, proposal, self._opened.studio.registry)
        self._plan_shown = proposal.judged.plan.hash
        self._show(filtered(self._table, self._filter))
        errors = error_words(self._table, proposal)
        self.footer.proposed.show_totals(
            found, refusal(found, errors, pending=self._opened.reviewing.pending.value), errors,
            listening=self._opened.focus.side.value == "plan",
        )
        self.footer.setCurrentWidget(self.footer.proposed)
        self.top.show_totals(found)
        self.details.setText(about(proposal))
        self.cells.hide()
        self._folded.clear()
        self.badge.set(str(found.steps))

    def _show_run(self, live: LiveRun) -> None:
        self._table = table = self._reader.live(live)
        self._show(table)
        self._fold_finished(table)
        back = any(row.standing.mark is Mark.ROLLED_BACK for row in table.rows)
        entries = ledger_of(table)
        self.footer.ran.show_run(
            entries, running=live.running, stopping=live.stopping, failed=bool(live.failed), back=back
        )
        self.footer.setCurrentWidget(self.footer.ran)
        self.top.show_elapsed(elapsed(live, monotonic()))
        self.details.setText("" if live.proposal is None else about(live.proposal))
        marks = tuple(row.standing.mark for row in table.rows if row.approved)
        self.cells.show_marks(marks)
        self.cells.show()
        self.badge.set(f"{marks.count(Mark.DONE)}/{len(marks)}")
        opened = needing(table)
        self._stories.show({row.id: row for row in table.rows if row.id in opened}, running=live.running)
        if self._was_running and not live.running:
            self._ended()
        self._was_running = live.running

    def _show(self, table: PlanTable) -> None:
        opened = needing(table)
        self.view.measure_rows(bool(opened))
        if self.model.show(table, opened):
            self.view.choose(self._chosen)

    def _fold_finished(self, table: PlanTable) -> None:
        for group in table.groups:
            finished = group.mark is Mark.DONE
            if finished and group.name not in self._folded:
                self._folded.add(group.name)
                self.view.fold(group.name, True)
            elif group.mark in (Mark.FAILED, Mark.REVIEW):
                self.view.fold(group.name, False)

    def _ended(self) -> None:
        """Lead to what needs the person, unless they write something elsewhere."""
        story, now = self._stories.first(), QApplication.focusWidget()
        if story is not None:
            self.view.scrollTo(self.model.story_index(needing(self._table)[0]))
            if now is None or now is self or self.isAncestorOf(now):
                story.safest().setFocus()

    def _proposed(self, proposal: Proposal | None) -> None:
        if proposal is not None and not proposal.decisions:
            self.notice.hide()
            self.view.cells.folded.clear()
        self._soon.ask()

    def _ran(self, live: LiveRun | None) -> None:
        if live is not None and live.state is RunState.RUNNING and not live.stopping:
            self._later.ask()
        else:
            self._later.drop()
            self._soon.ask()

    def _light(self, step: str | None) -> None:
        if not self._by_hover:
            self._chosen = step
            self.view.choose(step)

    def _hover(self, step: str) -> None:
        if self.view.step() is None:
            self._by_hover = True
            self._opened.focus.step.set(step or None)
            self._by_hover = False

    def _choose_filter(self, name: str) -> None:
        self._filter = Filter(name)
        self.top.choose(self._filter)
        self._soon.ask()

    def _tick(self) -> None:
        live = self._opened.running.live.value
        if live is not None:
            self.top.show_elapsed(elapsed(live, monotonic()))

    def _trouble(self, trouble: Trouble) -> None:
        if trouble.place == "plan":
            self.deeds.tell(trouble)

    def _edit(self, step: str) -> None:
        row = next((row for row in self._table.rows if row.id == step), None)
        if row is not None:
            self.deeds.edit(row, {one.id: one.facts.number for one in self._table.rows})
