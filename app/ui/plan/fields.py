"""One control for each input of a tool, with its range beside it and what is wrong under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontDatabase, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from agent.plan.plan import Inputs, Json
from app.i18n import lazy, tr
from app.ui.kit.widgets.color_field import ColorField
from app.ui.plan.columns import lines_tip
from app.ui.plan.drawings import Brush, Look, draw
from app.ui.plan.widgets import PlanLabel
from app.viewmodels.plan.row_previews import Notes, notes_drawing
from app.viewmodels.plan.step_fields import (
    Field,
    FieldChoice,
    FieldProblem,
    Surroundings,
    fields_of_effect_changed,
    from_step,
    shown,
    typed,
    value_of,
    with_value,
)

_ROWS = 5
_VALUE = Qt.ItemDataRole.UserRole


class Picks(QListWidget):
    """A list of check boxes. Space ticks the current one; `chosen` is called with the values of all ticked ones, in the
    order of the list."""

    def __init__(self, choices: Sequence[FieldChoice], value: Json, chosen: Callable[[list[Json]], None]) -> None:
        super().__init__()
        held = value if isinstance(value, list) else []
        for one in choices:
            item = QListWidgetItem(one.label)
            item.setData(_VALUE, one.value)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if one.value in held else Qt.CheckState.Unchecked)
            self.addItem(item)
        self.setCurrentRow(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        rows = min(_ROWS, max(1, len(choices)))
        self.setFixedHeight(rows * max(1, self.sizeHintForRow(0)) + 2 * self.frameWidth() + 2)
        self.itemChanged.connect(lambda _: chosen(self.values()))

    def values(self) -> list[Json]:
        """The values of the ticked check boxes."""
        items = [self.item(row) for row in range(self.count())]
        return [item.data(_VALUE) for item in items if item.checkState() is Qt.CheckState.Checked]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Leave Enter to the form."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)


_NOTES_HEIGHT = 110
_EMPTY_HEIGHT = 44
_PICTURE = QSize(240, 40)
_LEFT_OUT = lazy("(left out)")
_YES, _NO = lazy("on"), lazy("off")


class FieldsForm(QWidget):
    """A form with one control per input field; holds the inputs as edited."""

    changed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._errors: dict[str, QLabel] = {}
        self.inputs: Inputs = {}
        self._fields: tuple[Field, ...] = ()
        self._around: Surroundings | None = None
        self._form = QFormLayout(self)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)

    def show_inputs(self, fields: Sequence[Field], inputs: Inputs, around: Surroundings) -> None:
        """Show these fields with the values of `inputs`; `around` gives names for ids in them."""
        self.inputs, self._fields, self._around = dict(inputs), tuple(fields), around
        self._errors = {}
        while self._form.rowCount():
            self._form.removeRow(0)
        for field in fields:
            self._form.addRow(self._label(field), self._row(field, value_of(inputs, field), around))

    def mark(self, problems: Sequence[FieldProblem]) -> None:
        """Show each problem under its field, and remove older ones."""
        messages = {problem.field: problem.message for problem in reversed(problems)}
        for name, label in self._errors.items():
            label.setText(messages.get(name, ""))
            label.setVisible(name in messages)

    def focus_first(self) -> None:
        """Focus the first field that takes text."""
        first = self.findChild(QLineEdit) or self.findChild(QPlainTextEdit)
        if first is not None:
            first.setFocus()

    def _label(self, field: Field) -> QLabel:
        # The box says it itself.
        shown = "" if field.kind == "tick" else field.label
        label = PlanLabel(self._look, shown, "t1" if field.required else "t2")
        label.setToolTip(f"<p>{field.name}</p>")
        return label

    def _row(self, field: Field, value: Json, around: Surroundings) -> QWidget:
        box = QWidget()
        outer = QVBoxLayout(box)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(2)
        line = QHBoxLayout()
        control = self._control(field, value, around)
        control.setAccessibleName(field.label)
        control.setAccessibleDescription(f"{field.about} {field.hint}".strip())
        control.setObjectName(f"field-{field.name}")
        line.addWidget(control, 1)
        if field.hint:
            line.addWidget(PlanLabel(self._look, field.hint, "t3"))
        outer.addLayout(line)
        if field.kind == "tick":
            outer.addWidget(PlanLabel(self._look, field.about, "t3", wrap=True))
        if field.kind == "notes":
            outer.addWidget(_Picture(control, self._look))
        wrong = PlanLabel(self._look, tone="bad", wrap=True)
        wrong.hide()
        box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._errors[field.name] = wrong
        outer.addWidget(wrong)
        return box

    def _control(self, field: Field, value: Json, around: Surroundings) -> QWidget:
        if field.kind == "reference":
            kept = PlanLabel(self._look, from_step(value, around.numbers), "agent")
            kept.setToolTip(tr("It takes what that step makes; it is kept."))
            return kept
        if field.kind in ("choice", "switch"):
            return self._chooser(field, value)
        if field.kind == "tick":
            return self._tick(field, value)
        if field.kind == "color":
            return self._colors(field, value)
        if field.kind == "picks":
            return Picks(field.choices, value, lambda chosen: self._chosen(field, chosen))
        if field.kind in ("notes", "json"):
            edit = QPlainTextEdit(shown(value))
            edit.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            edit.setTabChangesFocus(True)
            edit.setFixedHeight(_NOTES_HEIGHT if value else _EMPTY_HEIGHT)
            edit.textChanged.connect(lambda: self._typed(field, edit.toPlainText()))
            return edit
        line = QLineEdit(shown(value))
        line.setPlaceholderText("" if field.required else shown(field.default) or tr(_LEFT_OUT))
        line.textEdited.connect(lambda text: self._typed(field, text))
        return line

    def _tick(self, field: Field, value: Json) -> QCheckBox:
        box = QCheckBox(field.label)
        box.setChecked(value is True)
        box.setToolTip(lines_tip([field.about]))
        box.toggled.connect(lambda on: self._chosen(field, on))
        return box

    def _colors(self, field: Field, value: Json) -> ColorField:
        made = ColorField(lambda: self._look.tokens, field.label, shown(value), tr(_LEFT_OUT))
        made.picked.connect(lambda text: self._typed(field, text))
        return made

    def _chooser(self, field: Field, value: Json) -> QComboBox:
        box = QComboBox()
        values: list[Json] = [None] if not field.required else []
        values += [True, False] if field.kind == "switch" else [one.value for one in field.choices]
        names = [tr(_LEFT_OUT)] if not field.required else []
        names += [tr(_YES), tr(_NO)] if field.kind == "switch" else [one.label for one in field.choices]
        if value is not None and not any(one == value for one in values):
            values.append(value)
            names.append(str(value))
        box.addItems(names)
        now = value if value is not None or field.default is None else field.default
        box.setCurrentIndex(next((place for place, one in enumerate(values) if one == now), 0 if names else -1))
        box.activated.connect(lambda place: self._chosen(field, values[place]))
        return box

    def _typed(self, field: Field, text: str) -> None:
        self._chosen(field, typed(field, text))

    def _chosen(self, field: Field, value: Json) -> None:
        self.inputs = with_value(self.inputs, field, value)
        if field.name == "effect_name" and self._around is not None:
            self.inputs = {**self.inputs, "params": {}}
            # The control that told this is replaced, so not before its signal has ended.
            QTimer.singleShot(0, self, self._show_other_effect)
        self.changed.emit()

    def _show_other_effect(self) -> None:
        if self._around is not None:
            fields = fields_of_effect_changed(self._fields, self.inputs, self._around)
            self.show_inputs(fields, self.inputs, self._around)


class _Picture(QWidget):
    """Draws the notes of a text field as far as they can be read."""

    def __init__(self, source: QWidget, look: Look) -> None:
        super().__init__()
        assert isinstance(source, QPlainTextEdit)
        self._source = source
        self._look = look
        self.setFixedHeight(_PICTURE.height())
        self.setAccessibleName(tr("The notes, drawn"))
        source.textChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setVisible(bool(self._source.toPlainText().strip()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        value = typed(Field(("notes",), "", "notes"), self._source.toPlainText())
        notes = value if isinstance(value, list) else []
        ends = [one["s"] + one["d"] for one in notes if isinstance(one, dict) and _timed(one)]
        drawing = notes_drawing(notes, max(ends, default=1)) if ends else Notes(())
        with QPainter(self) as painter:
            draw(Brush(painter, self._look), self.rect(), drawing, self._look.tokens.agent)


def _timed(note: dict[str, Json]) -> bool:
    return all(isinstance(note.get(key), int | float) for key in "sd")
