"""What a person does with the plan that is shown: from its table, its buttons, and the window's menus and keys."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from agent.song.time import Ticks
from app.i18n import tr
from app.ui.plan.decisions import Decisions, RunActions
from app.ui.plan.drawings import Look
from app.ui.plan.model import PlanModel
from app.ui.plan.presenter import TablePresenter
from app.ui.plan.step_form import Editing
from app.ui.plan.table_actions import PlanAction, all_decided, toggled
from app.ui.plan.view import PlanTableView
from app.ui.plan.widgets import AnswerStrip
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.row_previews import start_of
from app.viewmodels.plan_files import ENDING, file_name, open_plan, save_plan
from app.viewmodels.texts.troubles import Trouble
from app.viewmodels.transport.compared_span import span_to_compare
from app.viewmodels.transport.focus import Side


class PlanActions(QObject):
    """Carries out the actions of the plan panel on what is shown and selected at that moment. `panel` is the parent of
    dialogs; errors and questions appear in `notice`."""

    events_wanted = Signal(str)
    """Emitted with the id of a step of the shown run whose events are to be listed."""
    notes_wanted = Signal(str)
    """Emitted with the id of a clip, of the song or of the plan, to open in the piano roll."""

    def __init__(
        self, opened: OpenProject, panel: QWidget, look: Look, model: PlanModel, view: PlanTableView,
        showing: TablePresenter, decisions: Decisions, runs: RunActions, notice: AnswerStrip,
    ) -> None:
        super().__init__(panel)
        self._opened = opened
        self._view = view
        self._showing = showing
        self._notice = notice
        self._start = runs.start
        self.editing = Editing(opened, runs.start, panel, look)
        self.files = PlanDialogs(opened, runs, panel, notice)
        running = opened.running
        self._whole: dict[PlanAction, Callable[[], object]] = {
            "run": self._approve_and_run, "discard": decisions.discard,
            "approve all": lambda: view.carry_out(all_decided(model, approved=True)),
            "reject all": lambda: view.carry_out(all_decided(model, approved=False)),
            "toggle": lambda: view.carry_out(toggled(model, view.currentIndex())),
            "undo": decisions.undo, "redo": decisions.redo, "afresh": decisions.afresh,
            "save": self.files.save, "open": self.files.open, "hear": self._hear, "side": opened.listening.toggle,
            "retry": runs.retry, "roll back": runs.roll_back,
            "stop": lambda: runs.start(running.stop_or_end()), "pause": lambda: runs.start(running.pause_or_go_on()),
        }
        self._selected: dict[PlanAction, Callable[[Sequence[str]], object]] = {
            "approve": decisions.approve, "reject": decisions.reject, "reason": decisions.reject_because,
            "again": decisions.again, "loop": self._loop,
            "move above": lambda steps: decisions.move(steps[0], steps[1], False),
            "move below": lambda steps: decisions.move(steps[0], steps[1], True),
        }
        self._one: dict[PlanAction, Callable[[str], object]] = {
            "edit": self._edit, "back": decisions.back, "fix": decisions.fix, "repair": self._repair,
            "notes": self._toggle_notes, "roll": self._open_roll, "events": self._show_events,
            "hear row": self._hear_row, "hear edits": self._hear_edits,
            "skip": lambda step: runs.start(running.skip(step)), "approve edits": self._approve_edits,
        }

    def do(self, action: PlanAction, steps: Sequence[str] = ()) -> None:
        """Carry out an action on the rows `steps` (step ids); without any, on the selected rows or the current one."""
        if action in self._whole:
            self._whole[action]()
        elif action in self._selected:
            self._selected[action](steps or self._view.steps())
        elif step := steps[0] if steps else self._view.step():
            self._one[action](step)

    def close(self) -> None:
        """Close open dialogs."""
        self.editing.close()
        self.files.close()

    def _approve_and_run(self) -> None:
        """Approve exactly what is shown, and run it; words in the chat that were not sent are asked about first."""
        if self._opened.reviewing.proposal.value is None:
            return
        if self._opened.focus.unsent.value and not self._showing.refusal:
            self._notice.tell(
                tr("What you wrote in the chat is not sent yet. Nothing was run."),
                [(tr("Back to the chat"), self._view.left.emit), (tr("Run without it"), self._approve)],
            )
        else:
            self._approve()

    def _approve(self) -> None:
        if self._showing.refusal:
            self._notice.tell_trouble(Trouble("plan", tr("the plan was not approved"), self._showing.refusal))
        else:
            self._notice.hide()
            self._start(self._opened.asking.approving.run(self._showing.hash))

    # --- one row

    def _edit(self, step: str) -> None:
        self.editing.edit(self._showing.table, step)

    def _repair(self, step: str) -> None:
        self._notice.hide()
        self.editing.repair(self._showing.table, step)

    def _approve_edits(self, step: str) -> None:
        self._notice.hide()
        self._start(self._opened.running.approve(step))

    def _toggle_notes(self, step: str) -> None:
        self._showing.rows.toggle_notes(step)
        self._showing.refresh()

    def _open_roll(self, step: str) -> None:
        """Show the clip that a row writes, in the piano roll."""
        clip = self._showing.clip_of(step)
        if clip is not None:
            self._opened.focus.step.set(step)
            self.notes_wanted.emit(clip)

    def _show_events(self, step: str) -> None:
        if self._opened.reviewing.proposal.value is None:
            self.events_wanted.emit(step)

    # --- hearing it

    def _hear(self) -> None:
        """Play the song as the plan, or edits that wait, would make it; stop if that is what is heard."""
        playing = self._opened.playback.state.value.playing
        if playing and self._opened.focus.side.value == self._side():
            self._start(self._opened.playback.stop())
        else:
            self._play()

    def _loop(self, steps: Sequence[str]) -> None:
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

    def _hear_row(self, step: str) -> None:
        row = self._showing.table.by_step.get(step)
        if row is not None and row.facts.start is not None:
            self._play(row.facts.start)

    def _hear_edits(self, step: str) -> None:
        live = self._opened.running.live.value
        waiting = None if live is None else live.pending_edits.get(step)
        if waiting is not None:
            self._play(start_of(waiting.ghost.row(step)))

    def _play(self, at: int | None = None) -> None:
        if at is not None:
            self._opened.playback.seek(Ticks(at))
        self._opened.focus.side.set(self._side())
        self._start(self._opened.playback.play())

    def _side(self) -> Side:
        """Where what is to be heard stands: after a run it is in the song."""
        other = self._opened.listening.other.value
        return "plan" if other is not None and other.kind == "plan" else self._opened.focus.side.value


class PlanDialogs:
    """File dialogs for saving and opening plans. Errors are shown in the plan panel, what was done in `notice`."""

    def __init__(self, opened: OpenProject, runs: RunActions, parent: QWidget, notice: AnswerStrip) -> None:
        self._opened = opened
        self._runs = runs
        self._parent = parent
        self._notice = notice
        self.dialog: QFileDialog | None = None

    def close(self) -> None:
        """Close an open dialog."""
        if self.dialog is not None:
            self.dialog.close()

    def save(self) -> None:
        """Ask for a file and save the plan in it."""
        if self._opened.reviewing.proposal.value is not None:
            dialog = self._dialog(tr("Save plan"), lambda name: self._do(save_plan(self._opened, Path(name))))
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix(ENDING.removeprefix("."))
            dialog.selectFile(file_name(self._opened))
            dialog.open()

    def open(self) -> None:
        """Ask for a file and put its plan up for review."""
        dialog = self._dialog(tr("Open plan"), self.read)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.open()

    def read(self, name: str) -> None:
        """Put the plan in the file `name` up for review."""
        self._do(open_plan(self._opened, Path(name)))

    def _do(self, work: Coroutine[None, None, str]) -> None:
        async def told() -> None:
            self._notice.tell(await work)

        self._runs.start(told())

    def _dialog(self, title: str, chosen: Callable[[str], None]) -> QFileDialog:
        self.close()
        kinds = f"{tr('Plans')} (*.json)"
        dialog = QFileDialog(self._parent, title, str(self._opened.studio.paths.exports), kinds)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(chosen)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        return dialog

    def _closed(self) -> None:
        self.dialog = None
