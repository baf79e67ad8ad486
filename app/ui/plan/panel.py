"""The plan: reviewed row by row, approved, watched while it runs, and mended where it failed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agent.session.run_state import RunState
from app.desktop.open_project import OpenProject
from app.desktop.plan.live_run import LiveRun
from app.desktop.plan.proposal import Proposal
from app.desktop.plan.reverted import Reverted
from app.desktop.plan.row_reader import RowReader
from app.desktop.texts.troubles import Trouble
from app.studio.running.run_view import RunView
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.plan.decisions import Decisions
from app.ui.plan.deeds import PlanDeeds
from app.ui.plan.draft import DraftTable
from app.ui.plan.keys import UndoOfDecisions
from app.ui.plan.look import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.opened_rows import OpenedNotes, Stories
from app.ui.plan.pages import PlanPages
from app.ui.plan.showing import Reading, Showing
from app.ui.plan.story import Story
from app.ui.plan.table_actions import Ask, Wish
from app.ui.plan.top_bar import Filter
from app.ui.plan.view import PlanView
from app.ui.plan.widgets import AskLine, Strip
from app.ui.plan.wishes import Wishes
from app.words import tr, trn

_REFRESH = 33
_RUN_REFRESH = 200
"""Milliseconds; rows of a long plan would else wait for the table that shows them."""
_SECOND = 1000


class PlanPanel(QWidget):
    """Shows the proposal of a project, else its run, else that there is no plan.

    What the window's menus and keys do is in `deeds`. `badge` is the number on the tab: "14", "9/14".
    """

    events_wanted = Signal(str)
    """The id of a step of the run that is shown, whose events are to be seen."""
    request_wanted = Signal()
    """Esc leads back to the request that the plan answers."""
    notes_wanted = Signal(str)
    """The id of a clip, of the song or of the plan, whose notes are to be seen in the piano roll."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("plan")
        self.setAccessibleName(tr("Plan"))
        self._opened = opened
        look = Look(kit.theme)
        self.model = PlanModel(self)
        self.notice, self.left_over, self.taken, self.line = Strip(look), Strip(look), Strip(look), AskLine(look)
        self.decisions = Decisions(opened, kit, self.notice)
        self.view = PlanView(
            self.model, look, self.decisions.obstacle, self.decisions.undoable, self.decisions.fixable
        )
        self.draft = DraftTable(look, opened.studio.palette)
        self._pages = pages = PlanPages(look, self.view, self.draft)
        self.top, self.details, self.cells, self.footer = pages.top, pages.details, pages.cells, pages.footer
        self._told_left: RunView | None = None
        self._told_back: Reverted | None = None
        self._stories = Stories(self.view.setIndexWidget, self.model, look, self._join)
        reader = RowReader(opened.studio.registry, opened.studio.palette)
        self._reading = Reading(reader, kit.tasks, lambda: self._soon.ask())
        notes = OpenedNotes(
            self.view.setIndexWidget, self.model, look, self._open_roll, lambda step: self.deeds.hear_row(step)
        )
        self._showing = Showing(opened, self, pages, self.model, self._stories, self.decisions, self._reading, notes)
        self.badge = self._showing.badge
        self.wishes = Wishes(opened, kit, self.line, lambda: self._showing.table)
        self.deeds = PlanDeeds(
            opened, kit, self, look, self.view, self.footer, self._showing, self.decisions, self.wishes, self.notice
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
        """Select a row and bring it into sight."""
        self.refresh()
        self.view.choose(step)

    def answer(self) -> None:
        """Take the keyboard as the answer to a request, and say so; Esc gives it back."""
        self.refresh()
        self.view.take_answer()
        proposal = self._opened.reviewing.proposal.value
        count = 0 if proposal is None else len(proposal.plan.steps)
        said = trn("A plan with {count} step. Escape goes back to the request.",
                   "A plan with {count} steps. Escape goes back to the request.", count)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.view, said))

    def close_view(self) -> None:
        """End listening and timers."""
        self._subscriptions.close()
        self._soon.drop()
        self._later.drop()
        self._clock.stop()
        self.top.dial.stop()
        self._reading.close()
        self.view.turn_rings(False)
        self.deeds.close()

    # --- construction

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for strip in (self.left_over, self.taken, self.notice, self.line):
            column.addWidget(strip)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        view, deeds, proposed, ran = self.view, self.deeds, self.footer.proposed, self.footer.ran
        view.decide.connect(lambda steps, approved: self.decisions.decide(self._showing.table, steps, approved))
        for done in (self.line.closed, self.notice.answered, self.left_over.answered, self.taken.answered):
            done.connect(view.setFocus)
        view.asked.connect(self._answer)
        view.chosen.connect(lambda step: self._opened.focus.step.set(step or None))
        view.hovered.connect(self._opened.focus.hovered.set)
        view.move_asked.connect(self.decisions.move)
        view.left.connect(self.request_wanted)
        UndoOfDecisions((self, self.top), self.decisions.undoable, deeds.undo, deeds.redo)
        for signal, act in (
            (proposed.discard, deeds.discard), (proposed.again, deeds.ask_afresh), (proposed.hear, deeds.hear),
            (proposed.side, deeds.toggle_side), (proposed.loop, deeds.loop_compared),
            (proposed.run, deeds.approve_and_run), (ran.stop, deeds.stop), (ran.pause, deeds.pause),
            (ran.retry, deeds.retry), (ran.roll_back, deeds.roll_back),
        ):
            signal.connect(act)
        self.top.dial.turned.connect(self.decisions.dial)
        self.top.filtered.connect(self._choose_filter)

    def _answer(self, ask: Ask) -> None:
        """Hand a wish of the table to the part that can fulfil it."""
        deeds, steps = self.deeds, list(ask.steps)
        step = steps[0] if steps else ""
        acts: dict[Wish, Callable[[], object]] = {
            "edit": lambda: deeds.edit(step), "back": lambda: self.decisions.back(step),
            "reason": lambda: self.wishes.reject(steps), "again": lambda: self.wishes.again(steps),
            "afresh": self.wishes.afresh, "fix": lambda: self.decisions.fix(self._showing.table, step),
            "hear": lambda: deeds.hear_row(step), "notes": lambda: self._toggle_notes(step),
            "roll": lambda: self._open_roll(step), "events": lambda: self.events_wanted.emit(step),
            "retry": deeds.retry, "undo": deeds.undo, "redo": deeds.redo,
        }
        acts[ask.wish]()

    def _join(self, step: str, story: Story) -> None:
        deeds, runs = self.deeds, self.deeds.runs
        wished: dict[str, Callable[[], None]] = {
            "edit": lambda: deeds.edit(step), "limits": lambda: deeds.edit(step), "retry": deeds.retry,
            "skip": lambda: runs.skip(step), "reject": lambda: runs.skip(step),
            "roll back": deeds.roll_back, "repair": lambda: deeds.repair(step),
            "approve": lambda: runs.approve_edits(step), "hear": lambda: deeds.listening.hear_edits(step),
        }
        story.wished.connect(lambda deed: wished[deed]())

    def _listen(self, kit: Kit) -> None:
        opened, keep = self._opened, self._subscriptions.add
        if opened.reviewing.proposal.value is not None:
            self._showing.comes(opened.reviewing.proposal.value)
        keep(opened.reviewing.proposal.changed.listen(self._proposed))
        keep(opened.reviewing.pending.changed.listen(lambda _: self._soon.ask()))
        keep(opened.asking.drafting.changed.listen(lambda _: self._soon.ask()))
        keep(opened.running.live.changed.listen(self._ran))
        keep(opened.repairing.asking.changed.listen(lambda _: self._soon.ask()))
        keep(opened.choosing.chosen.changed.listen(lambda _: self._soon.ask()))
        keep(opened.running.unfinished.watch(self._tell_left_over))
        keep(opened.versions.iterations.changed.listen(lambda _: self._soon.ask()))
        keep(opened.versions.at.changed.listen(lambda _: self._soon.ask()))
        keep(opened.focus.step.watch(self._light))
        keep(opened.focus.hovered.watch(self.view.light))
        keep(opened.playback.state.watch(lambda now: self.footer.proposed.show_loop(on=now.looping)))
        keep(opened.focus.to_approve.watch(lambda on: self.footer.proposed.point(on=on)))
        keep(opened.focus.side.changed.listen(lambda _: self._soon.ask()))
        keep(kit.troubles.told.listen(self._trouble))

    # --- showing

    def refresh(self) -> None:
        """Show the state of the moment; the window does so by itself soon after each change."""
        if self._opened.reviewing.proposal.value is None:
            self.wishes.forget()
        self._tell_left_over(self._opened.running.unfinished.value)
        busy = self._showing.refresh()
        self._tell_back(self._showing.back)
        self.view.turn_rings(busy)
        # Nothing can be tried again on a song without the run's work.
        self.view.cells.busy = busy or self._showing.back is not None
        (self._clock.start if busy else self._clock.stop)()

    def _tell_left_over(self, view: RunView | None) -> None:
        """Offer the ways on with a run that holds the song, unless its own rows and buttons are shown."""
        live = self._opened.running.live.value
        shown = live is not None and live.paused and self._opened.reviewing.proposal.value is None
        told = None if view is None or (shown and live is not None and live.run == view.record.id) else view
        if told is not self._told_left:
            self._told_left = told
            self.deeds.runs.show_left_over(told, self.left_over)

    def _tell_back(self, back: Reverted | None) -> None:
        """Say how the work of the run was taken out of the song, with the ways to bring it there again."""
        if back is not self._told_back:
            self._told_back = back
            self.deeds.runs.show_taken_back(back, self.taken)

    def _proposed(self, proposal: Proposal | None) -> None:
        if proposal is not None and not proposal.decisions:
            self.notice.hide()
            self.view.cells.folded.clear()
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
        self._showing.filter = Filter(name)
        self.top.choose(self._showing.filter)
        self._soon.ask()

    def _trouble(self, trouble: Trouble) -> None:
        if trouble.place == "plan":
            self.notice.tell_trouble(trouble)

    def _toggle_notes(self, step: str) -> None:
        self._showing.notes.toggle(step)
        self.refresh()

    def _open_roll(self, step: str) -> None:
        """Show the clip that a row writes, in the piano roll."""
        clip = self._showing.clip_of(step)
        if clip is not None:
            self._opened.focus.step.set(step)
            self.notes_wanted.emit(clip)
