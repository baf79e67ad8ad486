"""The plan: reviewed row by row, approved, watched while it runs, and mended where it failed."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agent.session.run_state import RunState
from app.i18n import tr, trn
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.plan.actions import PlanActions
from app.ui.plan.decisions import Decisions, RunActions
from app.ui.plan.drawings import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.opened_rows import OpenedRows
from app.ui.plan.pages import DraftTable, PlanPages
from app.ui.plan.presenter import TablePresenter, TableReading
from app.ui.plan.table_actions import PlanRequest, UndoOfDecisions
from app.ui.plan.top_bar import RowFilter
from app.ui.plan.view import PlanTableView
from app.ui.plan.widgets import AnswerStrip, AskLine
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.row_reader import RowReader
from app.viewmodels.texts.troubles import Trouble

_REFRESH = 33
_RUN_REFRESH = 200
"""Milliseconds; rows of a long plan would else wait for the table that shows them."""
_SECOND = 1000


class PlanPanel(QWidget):
    """Shows the plan under review, else the project's run, else that there is no plan. `plan_actions` carries out
    buttons, menus and keys. `badge` is the text on the tab: "14", "9/14"."""

    request_wanted = Signal()
    """Emitted by Esc when the focus is to return to the request that the plan answers."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("plan")
        self.setAccessibleName(tr("Plan"))
        self._opened = opened
        look = Look(kit.theme)
        self.notice, self.line = AnswerStrip(look), AskLine(look)
        self.runs = RunActions(opened, kit, look, self.notice)
        self.decisions = Decisions(opened, kit, self.runs.start, self.notice, self.line)
        self.model = PlanModel(self, self.decisions.fixable)
        self.view = PlanTableView(self.model, look, self.decisions.obstacle)
        self.draft = DraftTable(look, opened.studio.palette)
        self._pages = pages = PlanPages(look, self.view, self.draft)
        self.top, self.details, self.cells, self.footer = pages.top, pages.details, pages.cells, pages.footer
        self.rows = OpenedRows(self.view.setIndexWidget, self.model, look)
        reader = RowReader(opened.studio.registry, opened.studio.palette)
        self._reading = TableReading(reader, kit.tasks, lambda: self._soon.ask())
        self._showing = TablePresenter(opened, self, pages, self.model, self.rows, self._reading)
        self.badge = self._showing.badge
        self.plan_actions = PlanActions(
            opened, self, look, self.model, self.view, self._showing, self.decisions, self.runs, self.notice
        )
        self._soon = Coalesced(_REFRESH, self.refresh, self, kit.turns)
        self._later = Coalesced(_RUN_REFRESH, self.refresh, self, kit.turns)
        self._clock = QTimer(self)
        self._clock.setInterval(_SECOND)
        self._clock.timeout.connect(self._showing.tell_time)
        self._lay_out()
        self._connect()
        self._subscriptions = Subscriptions()
        self._listen(kit)
        self.refresh()

    # --- for the window

    def choose(self, step: str) -> None:
        """Select the row of a step and scroll to it."""
        self.refresh()
        self.view.choose(step)

    def answer(self) -> None:
        """Focus the table because a request has led to a new plan, and announce it; Esc returns the focus to the
        chat."""
        self.refresh()
        self.view.take_answer()
        proposal = self._opened.reviewing.proposal.value
        count = 0 if proposal is None else len(proposal.plan.steps)
        said = trn("A plan with {count} step. Escape goes back to the request.",
                   "A plan with {count} steps. Escape goes back to the request.", count)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.view, said))

    def close_view(self) -> None:
        """End subscriptions and timers."""
        self._subscriptions.close()
        self._soon.drop()
        self._later.drop()
        self._clock.stop()
        self.top.dial.rest.stop()
        self._reading.close()
        self.view.turn_rings(False)
        self.plan_actions.close()

    # --- construction

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for strip in (self.runs.left_over, self.runs.reverted, self.notice, self.line):
            column.addWidget(strip)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        view, focus = self.view, self._opened.focus
        for done in (
            self.line.closed, self.notice.answered, self.runs.left_over.answered, self.runs.reverted.answered,
        ):
            done.connect(view.setFocus)
        for part in (view, self.rows):
            part.asked.connect(self._do)
        for bar in (self.footer.proposed, self.footer.ran):
            bar.asked.connect(self.plan_actions.do)
        view.chosen.connect(lambda step: focus.step.set(step or None))
        view.hovered.connect(focus.hovered.set)
        view.left.connect(self.request_wanted)
        UndoOfDecisions((self, self.top), self.decisions.undoable, self.decisions.undo, self.decisions.redo)
        self.top.dial.turned.connect(self.decisions.dial)
        self.top.filtered.connect(self._choose_filter)

    def _do(self, ask: PlanRequest) -> None:
        self.plan_actions.do(ask.action, ask.steps)

    def _listen(self, kit: Kit) -> None:
        opened, keep, bar = self._opened, self._subscriptions.add, self.footer.proposed
        if opened.reviewing.proposal.value is not None:
            self._showing.comes(opened.reviewing.proposal.value)
        keep(opened.reviewing.proposal.changed.listen(self._proposed))
        keep(opened.running.live.changed.listen(self._ran))
        for seen in (
            opened.reviewing.pending, opened.asking.drafting, opened.repairing.asking, opened.choosing.chosen,
            opened.versions.iterations, opened.versions.at, opened.focus.side,
        ):
            keep(seen.changed.listen(lambda _: self._soon.ask()))
        keep(opened.running.unfinished.watch(lambda _: self._offer_ways_on()))
        keep(opened.focus.step.watch(self._light))
        keep(opened.focus.hovered.watch(self.view.light))
        keep(opened.playback.state.watch(lambda now: bar.loop_button.setChecked(now.looping)))
        keep(opened.focus.to_approve.watch(lambda on: bar.point(on=on)))
        keep(kit.troubles.told.listen(self._trouble))

    # --- showing

    def refresh(self) -> None:
        """Show the current state; the panel does so by itself soon after each change."""
        if self._opened.reviewing.proposal.value is None:
            self.decisions.forget_words()
        busy = self._showing.refresh()
        back = self._showing.back
        self._offer_ways_on()
        self.view.turn_rings(busy)
        # Nothing can be tried again on a song without the run's work.
        self.model.busy = busy or back is not None
        (self._clock.start if busy else self._clock.stop)()

    def _offer_ways_on(self) -> None:
        """Offer them for a run that holds the song, unless its own rows and buttons are shown, and for one reverted."""
        live, left = self._opened.running.live.value, self._opened.running.unfinished.value
        shown = live is not None and live.paused and self._opened.reviewing.proposal.value is None
        own = left is not None and live is not None and shown and live.run == left.record.id
        self.runs.offer(None if own else left, self._showing.back)

    def _proposed(self, proposal: Proposal | None) -> None:
        if proposal is not None and not proposal.decisions:
            self.notice.hide()
            self.model.folded.clear()
        if proposal is None:
            self.view.forget_request()
        elif self._showing.comes(proposal):
            # What is lit was chosen in another plan, whose rows may have the same ids.
            self._opened.focus.step.set(None)
        self._soon.ask()

    def _ran(self, live: LiveRun | None) -> None:
        if live is not None and live.state is RunState.RUNNING and not live.stopping:
            self._later.ask()
        else:
            self._later.drop()
            self._soon.ask()

    def _light(self, step: str | None) -> None:
        self._showing.chosen = step
        self.view.choose(step)

    def _choose_filter(self, name: str) -> None:
        self._showing.filter = RowFilter(name)
        self.top.buttons[self._showing.filter].setChecked(True)
        self._soon.ask()

    def _trouble(self, trouble: Trouble) -> None:
        if trouble.place == "plan":
            self.notice.tell_trouble(trouble)
