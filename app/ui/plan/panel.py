"""The plan: reviewed row by row, approved, watched while it runs, and mended where it failed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agent.session.run_state import RunState
from app.desktop.open_project import OpenProject
from app.desktop.review.live_run import LiveRun
from app.desktop.review.proposal import Proposal
from app.desktop.table.row_reader import RowReader
from app.desktop.texts.troubles import Trouble
from app.studio.running.run_view import RunView
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.plan.ask_line import AskLine
from app.ui.plan.decisions import Decisions
from app.ui.plan.draft import DraftTable
from app.ui.plan.editing import Editing
from app.ui.plan.listening import Listening
from app.ui.plan.look import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.opened_notes import OpenedNotes
from app.ui.plan.pages import PlanPages
from app.ui.plan.plan_dialogs import PlanDialogs
from app.ui.plan.reading import Reading
from app.ui.plan.run_deeds import RunDeeds
from app.ui.plan.showing import Showing
from app.ui.plan.stories import Stories
from app.ui.plan.story import Story
from app.ui.plan.top_bar import Filter
from app.ui.plan.view import PlanView
from app.ui.plan.widgets import Strip
from app.ui.plan.wishes import Wishes
from app.words import tr

_REFRESH = 33
_RUN_REFRESH = 200
"""Milliseconds; rows of a long plan would else wait for the table that shows them."""
_SECOND = 1000


class PlanPanel(QWidget):
    """Shows the proposal of a project, else its run, else that there is no plan.

    The window calls the public methods from its shortcuts. `badge` is the number on the tab: "14", "9/14".
    """

    events_wanted = Signal(str)
    """The id of a step of the run that is shown, whose events are to be seen."""
    notes_wanted = Signal(str)
    """The id of a clip, of the song or of the plan, whose notes are to be seen in the piano roll."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("plan")
        self.setAccessibleName(tr("Plan"))
        self._opened = opened
        look = Look(kit.theme)
        self.model = PlanModel(self)
        self.view = PlanView(self.model, look)
        self.draft = DraftTable(look, opened.studio.palette)
        self._pages = pages = PlanPages(look, self.view, self.draft)
        self.top, self.details, self.cells, self.footer = pages.top, pages.details, pages.cells, pages.footer
        self.notice, self.left_over, self.line = Strip(look), Strip(look), AskLine(look)
        self._told_left: RunView | None = None
        self.decisions = Decisions(opened, kit, self.notice)
        self.listening = Listening(opened, kit)
        self.runs = RunDeeds(opened, kit, self.notice)
        self.editing = Editing(opened, kit, self, look)
        self.files = PlanDialogs(opened, kit, self, self.notice)
        self._stories = Stories(self.view, self.model, look, self._join)
        reader = RowReader(opened.studio.registry, opened.studio.palette)
        self._reading = Reading(reader, kit.tasks, lambda: self._soon.ask())
        notes = OpenedNotes(self.view, self.model, look, self._open_roll, self._hear_row)
        self._showing = Showing(opened, self, pages, self.model, self._stories, self.decisions, self._reading, notes)
        self.badge = self._showing.badge
        self.wishes = Wishes(opened, kit, self.line, lambda: self._showing.table)
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

    def approve_and_run(self) -> None:
        """Approve exactly what is shown, and run it."""
        if self._opened.reviewing.proposal.value is None:
            return
        if self.footer.proposed.refusal:
            self._trouble(Trouble("plan", tr("the plan was not approved"), self.footer.proposed.refusal))
        else:
            self.runs.approve_and_run(self._showing.hash)

    def hear(self) -> None:
        """Play the song as the plan would make it."""
        self.listening.hear()

    def toggle_side(self) -> None:
        """A or B."""
        self.listening.toggle_side()

    def loop_compared(self) -> None:
        """Repeat the chosen bars, else what the selected rows change; or repeat nothing any more."""
        self.listening.loop(self.view.steps())

    def discard(self) -> None:
        """Take the plan away; asks if edits would be lost."""
        self.decisions.discard()

    def approve_all(self) -> None:
        """Approve every row that is shown."""
        self.view.decide_all(True)

    def approve_none(self) -> None:
        """Reject every row that is shown."""
        self.view.decide_all(False)

    def undo(self) -> None:
        """Take the last decision on the plan back."""
        self.decisions.undo()

    def redo(self) -> None:
        """Decide again what was taken back last."""
        self.decisions.redo()

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

    def save_plan(self) -> None:
        """Save what would run as a file."""
        self.files.save()

    def open_plan(self) -> None:
        """Review the plan of a file."""
        self.files.open()

    def retry(self) -> None:
        """Run again what failed and was not reached."""
        self.runs.retry()

    def roll_back(self) -> None:
        """The song from before the run."""
        self.runs.roll_back()

    def stop(self) -> None:
        """Stop the run, also one that rests; what is done stays."""
        self.runs.stop()

    def pause(self) -> None:
        """Let the run rest after the steps under way, or let one that rests go on."""
        self.runs.pause()

    def show_events(self) -> None:
        """Show the events of the current row."""
        step = self.view.step()
        if step is not None and self._opened.reviewing.proposal.value is None:
            self.events_wanted.emit(step)

    def choose(self, step: str) -> None:
        """Select a row and bring it into sight."""
        self.refresh()
        self.view.choose(step)

    def close_view(self) -> None:
        """End listening and timers."""
        self._subscriptions.close()
        self._soon.drop()
        self._later.drop()
        self._clock.stop()
        self.top.dial.stop()
        self._reading.close()
        self.view.turn_rings(False)
        self.editing.close()
        self.files.close()

    # --- construction

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for strip in (self.left_over, self.notice, self.line):
            column.addWidget(strip)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        view, proposed, ran = self.view, self.footer.proposed, self.footer.ran
        view.decide.connect(lambda steps, approved: self.decisions.decide(self._showing.table, steps, approved))
        view.edit_asked.connect(self._edit)
        view.back_asked.connect(self.decisions.back)
        view.reason_asked.connect(self.wishes.reject)
        view.again_asked.connect(self.wishes.again)
        view.afresh_asked.connect(self.wishes.afresh)
        self.line.closed.connect(view.setFocus)
        view.fix_asked.connect(lambda step: self.decisions.fix(self._showing.table, step))
        view.hear_asked.connect(self._hear_row)
        view.notes_asked.connect(self._toggle_notes)
        view.roll_asked.connect(self._open_roll)
        view.events_asked.connect(self.events_wanted)
        view.retry_asked.connect(self.retry)
        view.chosen.connect(lambda step: self._opened.focus.step.set(step or None))
        view.hovered.connect(self._opened.focus.hovered.set)
        view.move_asked.connect(self.decisions.move)
        view.undo_asked.connect(self.undo)
        view.redo_asked.connect(self.redo)
        view.obstacle, view.undoable = self.decisions.obstacle, self.decisions.undoable
        view.cells.fixable = self.decisions.fixable
        for signal, act in (
            (proposed.discard, self.discard), (proposed.again, self.ask_afresh), (proposed.hear, self.hear),
            (proposed.side, self.toggle_side), (proposed.loop, self.loop_compared),
            (proposed.run, self.approve_and_run), (ran.stop, self.stop), (ran.pause, self.pause),
            (ran.retry, self.retry), (ran.roll_back, self.runs.roll_back),
        ):
            signal.connect(act)
        self.top.dial.turned.connect(self.decisions.dial)
        self.top.filtered.connect(self._choose_filter)

    def _join(self, step: str, story: Story) -> None:
        deeds: dict[str, Callable[[], None]] = {
            "edit": lambda: self._edit(step), "limits": lambda: self._edit(step), "retry": self.retry,
            "skip": lambda: self.runs.skip(step), "reject": lambda: self.runs.skip(step),
            "roll back": self.runs.roll_back, "repair": lambda: self._repair(step),
            "approve": lambda: self.runs.approve_edits(step), "hear": lambda: self.listening.hear_edits(step),
        }
        story.wished.connect(lambda deed: deeds[deed]())

    def _listen(self, kit: Kit) -> None:
        opened, keep = self._opened, self._subscriptions.add
        keep(opened.reviewing.proposal.changed.listen(self._proposed))
        keep(opened.reviewing.pending.changed.listen(lambda _: self._soon.ask()))
        keep(opened.asking.drafting.changed.listen(lambda _: self._soon.ask()))
        keep(opened.running.live.changed.listen(self._ran))
        keep(opened.repairing.asking.changed.listen(lambda _: self._soon.ask()))
        keep(opened.choosing.chosen.changed.listen(lambda _: self._soon.ask()))
        keep(opened.running.unfinished.watch(self._tell_left_over))
        keep(opened.focus.step.watch(self._light))
        keep(opened.focus.hovered.watch(self.view.light))
        keep(opened.playback.state.watch(lambda now: self.footer.proposed.show_loop(on=now.looping)))
        keep(opened.focus.side.changed.listen(lambda _: self._soon.ask()))
        keep(kit.troubles.told.listen(self._trouble))

    # --- showing

    def refresh(self) -> None:
        """Show the state of the moment; the window does so by itself soon after each change."""
        if self._opened.reviewing.proposal.value is None:
            self.wishes.forget()
        self._tell_left_over(self._opened.running.unfinished.value)
        busy = self._showing.refresh()
        self.view.turn_rings(busy)
        (self._clock.start if busy else self._clock.stop)()

    def _tell_left_over(self, view: RunView | None) -> None:
        """Offer the ways on with a run that holds the song, unless its own rows and buttons are shown."""
        live = self._opened.running.live.value
        shown = live is not None and live.paused and self._opened.reviewing.proposal.value is None
        told = None if view is None or (shown and live is not None and live.run == view.record.id) else view
        if told is not self._told_left:
            self._told_left = told
            self.runs.show_left_over(told, self.left_over)

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
        self._showing.chosen = step
        self.view.choose(step)

    def _choose_filter(self, name: str) -> None:
        self._showing.filter = Filter(name)
        self.top.choose(self._showing.filter)
        self._soon.ask()

    def _trouble(self, trouble: Trouble) -> None:
        if trouble.place == "plan":
            text = ". ".join(part[:1].upper() + part[1:] for part in (trouble.what, trouble.why, trouble.fix) if part)
            self.notice.tell(text, [(tr("Close"), lambda: None)], bad=True)

    def _edit(self, step: str) -> None:
        row = self._showing.row(step)
        if row is not None:
            self.editing.edit(row, self._numbers())

    def _hear_row(self, step: str) -> None:
        self.listening.hear_row(self._showing.table, step)

    def _toggle_notes(self, step: str) -> None:
        self._showing.notes.toggle(step)
        self.refresh()

    def _open_roll(self, step: str) -> None:
        """Show the clip that a row writes, in the piano roll."""
        clip = self._showing.clip_of(step)
        if clip is not None:
            self._opened.focus.step.set(step)
            self.notes_wanted.emit(clip)

    def _repair(self, step: str) -> None:
        row = self._showing.row(step)
        if row is not None:
            self.notice.hide()
            self.editing.repair(row, self._numbers())

    def _numbers(self) -> dict[str, int]:
        return {one.id: one.facts.number for one in self._showing.table.rows}
