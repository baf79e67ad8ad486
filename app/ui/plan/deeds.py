"""What a person does with the plan that is shown, from its buttons and from the window's menus and keys."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.desktop.open_project import OpenProject
from app.desktop.texts.troubles import Trouble
from app.ui.kit.context import Kit
from app.ui.plan.decisions import Decisions
from app.ui.plan.editing import Editing
from app.ui.plan.footer import Footer
from app.ui.plan.listening import Listening
from app.ui.plan.look import Look
from app.ui.plan.plan_dialogs import PlanDialogs
from app.ui.plan.run_deeds import RunDeeds
from app.ui.plan.showing import Showing
from app.ui.plan.table_actions import Ask, DecideAll, Toggle
from app.ui.plan.view import PlanView
from app.ui.plan.widgets import Strip
from app.ui.plan.wishes import Wishes
from app.words import tr


class PlanDeeds:
    """Hands each deed, with what is shown and selected at that moment, to the part that can do it.

    `panel` is the parent of dialogs; what cannot be done is told in `notice`.
    """

    def __init__(
        self, opened: OpenProject, kit: Kit, panel: QWidget, look: Look, view: PlanView, footer: Footer,
        showing: Showing, decisions: Decisions, wishes: Wishes, notice: Strip,
    ) -> None:
        self._opened = opened
        self._view = view
        self._footer = footer
        self._showing = showing
        self._decisions = decisions
        self._wishes = wishes
        self._notice = notice
        self.listening = Listening(opened, kit)
        self.runs = RunDeeds(opened, kit, notice)
        self.editing = Editing(opened, kit, panel, look)
        self.files = PlanDialogs(opened, kit, panel, notice)

    def close(self) -> None:
        """Close what is open."""
        self.editing.close()
        self.files.close()

    # --- the plan

    def approve_and_run(self) -> None:
        """Approve exactly what is shown, and run it; words in the chat that were not sent are asked about first."""
        if self._opened.reviewing.proposal.value is None:
            return
        if self._opened.focus.unsent.value and not self._footer.proposed.refusal:
            self._notice.tell(
                tr("What you wrote in the chat is not sent yet. Nothing was run."),
                [(tr("Back to the chat"), self._view.left.emit), (tr("Run without it"), self._approve)],
            )
        else:
            self._approve()

    def _approve(self) -> None:
        if self._footer.proposed.refusal:
            trouble = Trouble("plan", tr("the plan was not approved"), self._footer.proposed.refusal)
            self._notice.tell_trouble(trouble)
        else:
            self.runs.approve_and_run(self._showing.hash)

    def discard(self) -> None:
        """Take the plan away; asks if edits would be lost."""
        self._decisions.discard()

    def approve_all(self) -> None:
        """Approve every row that is shown."""
        self._view.carry_out(DecideAll(approved=True))

    def approve_none(self) -> None:
        """Reject every row that is shown."""
        self._view.carry_out(DecideAll(approved=False))

    def undo(self) -> None:
        """Take the last decision on the plan back."""
        self._decisions.undo()

    def redo(self) -> None:
        """Decide again what was taken back last."""
        self._decisions.redo()

    def ask_afresh(self) -> None:
        """Ask for the whole plan again."""
        self._wishes.afresh()

    def save_plan(self) -> None:
        """Save what would run as a file."""
        self.files.save()

    def open_plan(self) -> None:
        """Review the plan of a file."""
        self.files.open()

    # --- its rows

    def toggle_row(self) -> None:
        """Approve or reject the current row."""
        self._view.carry_out(Toggle(self._view.currentIndex()))

    def edit_row(self) -> None:
        """Edit the current row."""
        self.edit(self._view.step() or "")

    def edit(self, step: str) -> None:
        """Edit a row; nothing happens where it is not shown."""
        row = self._showing.row(step)
        if row is not None:
            self.editing.edit(row, self._numbers())

    def repair(self, step: str) -> None:
        """Ask how a row that failed is to be repaired."""
        row = self._showing.row(step)
        if row is not None:
            self._notice.hide()
            self.editing.repair(row, self._numbers())

    def reject_with_reason(self) -> None:
        """Reject the selected rows, and say why."""
        self._wishes.reject(self._view.steps())

    def ask_again(self) -> None:
        """Ask for the selected rows again, and say what should be different."""
        self._wishes.again(self._view.steps())

    def show_events(self) -> None:
        """Show the events of the current row."""
        step = self._view.step()
        if step is not None and self._opened.reviewing.proposal.value is None:
            self._view.carry_out(Ask("events", (step,)))

    # --- hearing it

    def hear(self) -> None:
        """Play the song as the plan would make it, or stop that."""
        self.listening.hear()

    def hear_row(self, step: str) -> None:
        """Play from where a row writes."""
        self.listening.hear_row(self._showing.table, step)

    def toggle_side(self) -> None:
        """A or B."""
        self.listening.toggle_side()

    def loop_compared(self) -> None:
        """Repeat the chosen bars, else what the selected rows change; or repeat nothing any more."""
        self.listening.loop(self._view.steps())

    # --- its run

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

    def _numbers(self) -> dict[str, int]:
        return {one.id: one.facts.number for one in self._showing.table.rows}
