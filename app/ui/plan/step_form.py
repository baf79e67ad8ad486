"""Editing the inputs of one step, proposed or failed: a form made from the tool's schema, and the same as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from agent.plan.inputs import Schema
from agent.plan.plan import Inputs
from agent.services.binding import MAX_ITEMS
from agent.services.goal_service import SONG
from agent.song.song import Song
from app.i18n import lazy, tr, trn
from app.ui.kit.tasks import Work
from app.ui.kit.widgets.labels import ElidedLabel
from app.ui.plan.columns import lines_tip
from app.ui.plan.drawings import Look
from app.ui.plan.fields import FieldsForm
from app.ui.plan.widgets import PlanLabel, button
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.rows import PlanRow, PlanTable
from app.viewmodels.plan.step_fields import (
    FieldProblem,
    InputChange,
    Surroundings,
    fields_of,
    input_changes,
    inputs_json,
    parsed,
    problems,
)

MOST = 6
_GAP = 8


class InputsDiff(QWidget):
    """Shows at most `MOST` changed inputs; the form below shows all."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: tuple[InputChange, ...] | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_GAP)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(3, 1)

    def show_changes(self, changes: Sequence[InputChange]) -> None:
        """Show these changes."""
        if tuple(changes) == self._shown:
            return
        self._shown = tuple(changes)
        while (item := self._grid.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for row, one in enumerate(changes[:MOST]):
            self._row(row, one)
        more = len(changes) - MOST
        if not changes:
            self._grid.addWidget(PlanLabel(self._look, tr("As it was"), "t3"), 0, 0, 1, 4)
        elif more > 0:
            self._grid.addWidget(PlanLabel(self._look, tr("and {count} more below", count=more), "t3"), MOST, 0, 1, 4)
        said = "; ".join(f"{one.label}: {one.was} to {one.now}" for one in changes)
        self.setAccessibleName(tr("Changed: {what}", what=said) if said else tr("Nothing is changed"))

    def _row(self, row: int, one: InputChange) -> None:
        self._grid.addWidget(PlanLabel(self._look, one.label, "t2"), row, 0)
        self._grid.addWidget(ElidedLabel(one.was, tone="t3"), row, 1)
        self._grid.addWidget(PlanLabel(self._look, "→", "t3"), row, 2)
        self._grid.addWidget(ElidedLabel(one.now, tone="agent"), row, 3)


_WIDTH = 560
_HEIGHT = 520
_FORM, _JSON = 0, 1
UNHEARD_WORDS = lazy("It cannot be heard before it has run.")
_TIPS = {
    lazy("Save"): lazy("Save the inputs of this step"),
    lazy("Approve and run"): lazy("Approve this step as it is here, and run it"),
    lazy("Run with these inputs"): lazy("Approve this step with these inputs, and run it"),
}


class StepForm(QDialog):
    """Dialog for other inputs of a row. `save` is called with them; `back` gives the row its proposed inputs again
    (None: no such button).

    `most` is the approved limit of items or edits, which can be changed too (None: not asked for). With `old` inputs
    the form holds a model's proposal to replace them, and shows the differences."""

    def __init__(
        self, row: PlanRow, inputs: Inputs, schema: Schema, around: Surroundings, look: Look,
        save: Callable[[Inputs], None], back: Callable[[], None] | None, parent: QWidget, *, save_text: str = "Save",
        old: Inputs | None = None, most: int | None = None,
    ) -> None:
        super().__init__(parent)
        self._schema = schema
        self._around = around
        self._save = save
        self._back = back
        self._inputs = dict(inputs)
        self._old = old
        self._diff = InputsDiff(look)
        self._save_text = save_text
        self._most = None if most is None else _number(most, of_items=row.facts.step.for_each is not None)
        self._fields = FieldsForm(look)
        self._fields.changed.connect(self._form_changed)
        self._json = QPlainTextEdit()
        self._wrong = PlanLabel(look, tone="bad", wrap=True)
        self._lay_out(row, save_text, look)
        self._fields.show_inputs(fields_of(schema, self._inputs, around), self._inputs, around)
        self._judge()
        self._fields.focus_first()

    @property
    def inputs(self) -> Inputs:
        """The inputs as edited now."""
        return self._inputs

    @property
    def most(self) -> int | None:
        """The limit of items or edits as edited; None if it is not asked for."""
        return None if self._most is None else self._most.value()

    def problems(self) -> tuple[FieldProblem, ...]:
        """What is wrong with the edited inputs."""
        if self._tabs.currentIndex() == _JSON:
            read, problem = parsed(self._json.toPlainText())
            if problem is not None:
                return (problem,)
            return problems(self._schema, read, fields_of(self._schema, read or {}, self._around))
        return problems(self._schema, self._inputs, fields_of(self._schema, self._inputs, self._around))

    def _lay_out(self, row: PlanRow, save_text: str, look: Look) -> None:
        self.setWindowTitle(
            tr("Repair step {number}", number=row.facts.number) if self._old is not None
            else tr("Edit step {number}", number=row.facts.number)
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(_WIDTH, _HEIGHT)
        title = PlanLabel(look, f"{row.facts.number}  {row.facts.sentence}", bold=True, wrap=True)
        self._json.setAccessibleName(tr("Inputs as JSON"))
        self._json.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._json.setTabChangesFocus(True)
        self._json.textChanged.connect(self._json_changed)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._fields)
        self._tabs = QTabWidget()
        self._tabs.addTab(scroll, tr("Form"))
        self._tabs.addTab(self._json, "JSON")
        self._tabs.currentChanged.connect(self._tab_changed)
        outer = QVBoxLayout(self)
        for widget in (title, *_explained(row, look), *self._proposed(look), self._tabs, self._wrong):
            outer.addWidget(widget)
        if self._most is not None:
            outer.insertWidget(outer.indexOf(self._tabs), self._most)
        outer.addLayout(self._buttons(save_text))

    def _proposed(self, look: Look) -> tuple[QWidget, ...]:
        """What a model changed, where it proposed this."""
        if self._old is None:
            return ()
        said = tr("The model proposes these inputs. Nothing runs before you say so; you can change them too.")
        return PlanLabel(look, said, "agent", wrap=True), self._diff

    def _buttons(self, save_text: str) -> QHBoxLayout:
        line = QHBoxLayout()
        if self._back is not None:
            back = button(tr("Back to proposal"), self._go_back)
            back.setToolTip(tr("Undo your edits of this step"))
            line.addWidget(back)
        line.addStretch()
        line.addWidget(button(tr("Cancel"), self.reject))
        self._ok = button(tr(save_text), self._accept, role="main")
        self._ok.setDefault(True)
        line.addWidget(self._ok)
        return line

    def _tab_changed(self, tab: int) -> None:
        if tab == _JSON:
            self._json.setPlainText(inputs_json(self._inputs))
        else:
            self._fields.show_inputs(fields_of(self._schema, self._inputs, self._around), self._inputs, self._around)
        self._judge()

    def _form_changed(self) -> None:
        self._inputs = self._fields.inputs
        self._judge()

    def _json_changed(self) -> None:
        read, _ = parsed(self._json.toPlainText())
        if read is not None:
            self._inputs = read
        self._judge()

    def _judge(self) -> None:
        found = self.problems()
        self._fields.mark(found)
        named = [one.message for one in found if self._tabs.currentIndex() == _JSON or not one.field]
        self._wrong.setText("\n".join(named))
        self._wrong.setVisible(bool(named))
        if self._old is not None:
            self._diff.show_changes(input_changes(self._old, self._inputs, self._around.numbers))
        self._ok.setEnabled(not found)
        tip = _TIPS.get(self._save_text, "")
        self._ok.setToolTip(lines_tip([found[0].message if found else tr(tip) if tip else ""]))

    def _accept(self) -> None:
        if not self.problems():
            self._save(self._inputs)
            self.accept()

    def _go_back(self) -> None:
        if self._back is not None:
            self._back()
        self.accept()


def _number(most: int, *, of_items: bool) -> QSpinBox:
    """Asks for the most items or edits of a row."""
    field = QSpinBox()
    field.setRange(1, MAX_ITEMS)
    field.setValue(most)
    field.setPrefix(tr("At most "))
    field.setSuffix(tr(" items") if of_items else tr(" edits"))
    field.setAccessibleName(tr("Most items of this step") if of_items else tr("Most edits of this step"))
    return field


def _explained(row: PlanRow, look: Look) -> list[PlanLabel]:
    """Why the row is there, and of a goal what it may do."""
    facts = row.facts
    said = [(facts.step.why, "t2")]
    if facts.limits:
        goal = tr("Goal: {goal}", goal=facts.step.goal) if facts.sentence != facts.step.goal else ""
        most = trn("At most {count} edit.", "At most {count} edits.", facts.step.max_edits or 0)
        said += [(goal, "t1"), (f"{most} {tr(UNHEARD_WORDS)}", "t2")]
    return [PlanLabel(look, text, tone, wrap=True) for text, tone in said if text]


class Editing:
    """Opens the form for a row's inputs, at most one at a time; `start` carries work out and tells its errors."""

    def __init__(self, opened: OpenProject, start: Callable[[Work], None], parent: QWidget, look: Look) -> None:
        self._opened = opened
        self._start = start
        self._parent = parent
        self._look = look
        self.form: StepForm | None = None

    def close(self) -> None:
        """Close the open form."""
        if self.form is not None:
            self.form.close()

    def edit(self, table: PlanTable, step: str) -> None:
        """Open the form for a proposed or failed row; does nothing if it is not in `table`."""
        row = table.by_step.get(step)
        if row is None:
            return
        proposal, live = self._opened.reviewing.proposal.value, self._opened.running.live.value
        if proposal is not None:
            preview = None if proposal.whole.preview is None else proposal.whole.preview.row(row.id)
            song = proposal.song if preview is None else preview.before
            reviewing = self._opened.reviewing
            back = (lambda: self._start(reviewing.back(row.id))) if row.edited else None
            self._ask(row, proposal.inputs(row.id), self._around(song, table),
                      lambda inputs: self._start(reviewing.change(row.id, inputs)), back, "Save")
        elif live is not None and not live.running and row.id in live.failed and row.pending_edits is None:
            around = self._around(self._opened.workspace.song, table)
            known = live.plan.step(row.id)
            self._ask(row, known.inputs, around, lambda inputs: self._amend(row.id, inputs), None, "Approve and run",
                      most=known.max_edits)

    def repair(self, table: PlanTable, step: str) -> None:
        """Ask the model for other inputs of a failed row and show them in the form; if it is being asked already, stop
        asking."""
        repairing, row = self._opened.repairing, table.by_step.get(step)
        if repairing.asking.value == step:
            repairing.stop()
        elif row is not None:
            self._start(self._repair(row, table))

    async def _repair(self, row: PlanRow, table: PlanTable) -> None:
        repair = await self._opened.repairing.propose(row.id)
        live = self._opened.running.live.value
        if repair is None or live is None:
            return
        around = self._around(self._opened.workspace.song, table)
        self._ask(row, repair.inputs, around, lambda inputs: self._amend(row.id, inputs), None, "Run with these inputs",
                  old=live.plan.step(row.id).inputs)

    def _amend(self, step: str, inputs: Inputs) -> None:
        most = None if self.form is None else self.form.most
        self._start(self._opened.running.amend(step, inputs, most))

    def _around(self, song: Song | None, table: PlanTable) -> Surroundings:
        studio, numbers = self._opened.studio, {row.id: row.facts.number for row in table.rows}
        given = [tool for tool in studio.registry.tools.values() if tool.service == SONG and tool.changes_song]
        return Surroundings(studio.palette, song, numbers, tuple(tool.name for tool in given))

    def _ask(
        self, row: PlanRow, inputs: Inputs, around: Surroundings, save: Callable[[Inputs], None],
        back: Callable[[], None] | None, save_text: str, *, old: Inputs | None = None,
        most: int | None = None,
    ) -> None:
        tool = self._opened.studio.registry.tools.get(row.facts.step.tool)
        if tool is None or self.form is not None:
            return
        self.form = StepForm(row, inputs, tool.inputs, around, self._look, save, back, self._parent,
                             save_text=save_text, old=old, most=most)
        self.form.finished.connect(self._form_closed)
        self.form.open()

    def _form_closed(self) -> None:
        self.form = None
