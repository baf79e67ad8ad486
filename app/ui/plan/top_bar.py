"""The line above the table: what was understood, how far the plan goes, which rows are shown, how long a run takes."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSlider, QWidget

from app.i18n import lazy, tr
from app.ui.plan.columns import lines_tip
from app.ui.plan.drawings import Look
from app.ui.plan.widgets import PlanLabel, button
from app.ui.plan.yielding import Yielding, hidden, shortened
from app.viewmodels.plan.row_states import RowMark
from app.viewmodels.plan.rows import PlanGroup, PlanRow, PlanTable
from app.viewmodels.plan.scaling import WHOLE
from app.viewmodels.plan.summary import PlanTotals

_WIDTH = 96
_REST = 350
"""Milliseconds without a key after which the plan is judged at the new place."""
_STEP, _PAGE = 5, 25


class Dial(QWidget):
    """The intensity slider of a plan, 0 to 100 %; signal `turned` carries the value at its release."""

    turned = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._words = PlanLabel(look, tr("How far"), "t3")
        self._value = PlanLabel(look, "", "t2")
        self._value.setFixedWidth(self._value.fontMetrics().horizontalAdvance("100 % "))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, WHOLE)
        self.slider.setSingleStep(_STEP)
        self.slider.setPageStep(_PAGE)
        self.slider.setFixedWidth(_WIDTH)
        self.slider.setMinimumHeight(20)
        self.slider.setAccessibleName(tr("How far the plan goes"))
        self.rest = QTimer(self)
        """A timer that runs while the person may still go on dragging."""
        self.rest.setSingleShot(True)
        self.rest.setInterval(_REST)
        self.rest.timeout.connect(self._tell)
        self._told = WHOLE
        self.slider.valueChanged.connect(self._changed)
        self.slider.sliderReleased.connect(self._tell)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        for one in (self._words, self.slider, self._value):
            line.addWidget(one)
        self.show_dial(WHOLE, "", possible=False)

    def show_dial(self, percent: int, words: str, *, possible: bool) -> None:
        """Set the value unless the person is dragging; `words` is the tooltip, `possible` enables it."""
        self.slider.setEnabled(possible)
        self.setToolTip(lines_tip([words]) if words else "")
        self.slider.setAccessibleDescription(words)
        if not self.slider.isSliderDown() and not self.rest.isActive():
            self._told = percent
            self.slider.setValue(percent)
            self._show_value(self.slider.value())

    def shorten(self, less: bool) -> None:
        """Hide (`less`) or show the label; the tooltip keeps its text."""
        self._words.setVisible(not less)

    def _changed(self, value: int) -> None:
        self._show_value(value)
        if not self.slider.isSliderDown() and value != self._told:
            self.rest.start()

    def _show_value(self, value: int) -> None:
        self._value.setText(tr("{percent} %", percent=value))

    def _tell(self) -> None:
        self.rest.stop()
        if self.slider.value() != self._told:
            self._told = self.slider.value()
            self.turned.emit(self._told)


TOP_HEIGHT = 30


class RowFilter(StrEnum):
    """Filters for the rows shown in the plan table."""

    ALL = lazy("All")
    APPROVED = lazy("Approved")
    LEFT_OUT = lazy("Left out")
    CHECK = lazy("Check")

    def keeps(self, row: PlanRow) -> bool:
        """Whether the filter shows this row."""
        match self:
            case RowFilter.APPROVED:
                return row.approved
            case RowFilter.LEFT_OUT:
                return not row.approved
            case RowFilter.CHECK:
                return row.standing.mark in (RowMark.CHECK, RowMark.ERROR)
        return True


def filtered(table: PlanTable, kept: RowFilter) -> PlanTable:
    """The table with only the rows that the filter `kept` shows; group summaries still count all rows."""
    if kept is RowFilter.ALL:
        return table
    groups = [
        PlanGroup(group.name, tuple(row for row in group.rows if kept.keeps(row)), group.summary, group.approved)
        for group in table.groups
    ]
    return PlanTable(tuple(group for group in groups if group.rows), table.run)


class PlanTopBar(Yielding):
    """The bar above the table: filters and details of a plan under review, or the time of a run."""

    filtered = Signal(str)
    details = Signal(bool)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setFixedHeight(TOP_HEIGHT)
        self._counts: dict[RowFilter, int] = {}
        self._elapsed = PlanLabel(look, tone="t3")
        self._about = button(tr("About this plan"), lambda: None, role="toggle", icon=look.icon("info"),
                             tip=tr("What was understood, what was not, and why"))
        self._about.setCheckable(True)
        self._about.toggled.connect(self.details.emit)
        self.dial = Dial(look)
        self._show = PlanLabel(look, tr("Show"), "t3")
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 0, 10, 0)
        line.setSpacing(4)
        line.addWidget(self._about)
        line.addStretch()
        line.addWidget(self.dial)
        line.addSpacing(8)
        line.addWidget(self._elapsed)
        line.addWidget(self._show)
        self.buttons = {
            one: button(
                tr(one.value), partial(self.filtered.emit, one.value), role="toggle",
                name=tr("Show: {filter}", filter=tr(one.value)),
            )
            for one in RowFilter
        }
        for one in self.buttons.values():
            one.setCheckable(True)
            self._group.addButton(one)
            line.addWidget(one)
        self.buttons[RowFilter.ALL].setChecked(True)
        self._run = False
        self.gives_way(
            hidden(self._show, unless=lambda: self._run), self.dial.shorten, shortened(self._about), self._shorten,
            hidden(self.dial, unless=lambda: self._run),
        )

    def _shorten(self, less: bool) -> None:
        """Filters without what they count; their tooltips tell it."""
        for one, count in self._counts.items():
            said = tr(one.value) if less else f"{tr(one.value)} {count}"
            if self.buttons[one].text() != said:
                self.buttons[one].setText(said)

    def show_totals(self, totals: PlanTotals) -> None:
        """Show on each filter how many rows it shows."""
        counts = {
            RowFilter.ALL: totals.steps, RowFilter.APPROVED: totals.approved, RowFilter.LEFT_OUT: totals.left_out,
            RowFilter.CHECK: totals.check,
        }
        self._counts = counts
        for one, count in counts.items():
            self.buttons[one].setToolTip(lines_tip([f"{tr(one.value)} {count}"]))
        self._swap(run=False)

    def show_elapsed(self, text: str) -> None:
        """Show a text with the run's time."""
        self._elapsed.setText(text)
        self._swap(run=True)

    def _swap(self, *, run: bool) -> None:
        self._elapsed.setVisible(run)
        for one in (self.dial, self._show, *self.buttons.values()):
            one.setVisible(not run)
        self._run = run
        self.fit()
