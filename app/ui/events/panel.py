"""The events of the run that is shown, or of an earlier one of the project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.i18n import lazy, tr
from app.ui.events.filtering import Kept, words_of
from app.ui.events.model import EventModel
from app.ui.events.table import EventTable
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.buttons import ToggleButton
from app.ui.kit.widgets.empty_state import EmptyState
from app.viewmodels.events.event_lines import EventGroup
from app.viewmodels.events.event_log import EventLog, RowName, RunChoice
from app.viewmodels.texts.moments import clock_time
from app.viewmodels.watched import Watched

BAR_HEIGHT = 34
_RUNS, _STEPS, _FIND = 220, 150, 160
_NAME = 60
_ALL = lazy("All")
_TIGHT = 900


class EventBar(QWidget):
    """The filter of events. Signal `filtered` is emitted for another filter, `run_chosen` carries the id of another
    run."""

    filtered = Signal()
    run_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(BAR_HEIGHT)
        self.runs = _box(tr("Run whose events are listed"), _RUNS)
        self.steps = _box(tr("Step whose events are listed"), _STEPS)
        self.words = QLineEdit()
        self.words.setPlaceholderText(tr("Find in events"))
        self.words.setAccessibleName(tr("Find in events"))
        self.words.setClearButtonEnabled(True)
        self.words.setMaximumWidth(_FIND)
        self.buttons: dict[EventGroup | None, ToggleButton] = {}
        self._kinds = QButtonGroup(self)
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 0, 10, 0)
        line.setSpacing(6)
        line.addWidget(self.runs)
        line.addStretch(1)
        for group in (None, *EventGroup):
            self._add_kind(line, group)
        line.addSpacing(6)
        line.addWidget(self.steps)
        line.addWidget(self.words)
        self.runs.activated.connect(lambda at: self.run_chosen.emit(self.runs.itemData(at)))
        self.steps.activated.connect(lambda _: self.filtered.emit())
        self.words.textChanged.connect(lambda _: self.filtered.emit())
        self.show_rows(())

    def _add_kind(self, line: QHBoxLayout, group: EventGroup | None) -> None:
        words = tr(_ALL if group is None else group.value)
        made = ToggleButton(words, name=tr("Show events: {kind}", kind=words))
        made.setChecked(group is None)
        made.clicked.connect(lambda: self.filtered.emit())
        self._kinds.addButton(made)
        self.buttons[group] = made
        line.addWidget(made)

    @property
    def kept(self) -> Kept:
        """The current filter."""
        group = next(group for group, made in self.buttons.items() if made.isChecked())
        return Kept(group, self.steps.currentData() or "", words_of(self.words.text()))

    def show_runs(self, choices: Sequence[RunChoice], chosen: str | None) -> None:
        """List these runs to choose from; `chosen` is the id of the current one."""
        with QSignalBlocker(self.runs):
            self.runs.clear()
            for one in choices:
                self.runs.addItem(f"{clock_time(one.at)}  {_short(one.request) or tr('Plan file')}", one.run)
            self.runs.setCurrentIndex(self.runs.findData(chosen))
        self.runs.setEnabled(bool(choices))

    def show_rows(self, rows: Sequence[RowName]) -> None:
        """List these steps to choose from, and "all"."""
        chosen = self.steps.currentData()
        with QSignalBlocker(self.steps):
            self.steps.clear()
            self.steps.addItem(tr("All steps"), "")
            for row in rows:
                self.steps.addItem(f"{row.number}  {_short(row.title)}", row.step)
            self.steps.setCurrentIndex(max(0, self.steps.findData(chosen)))

    def choose_step(self, step: str) -> None:
        """Filter for the events of this step, of every kind and with any words."""
        with QSignalBlocker(self.words):
            self.words.clear()
        self.buttons[None].setChecked(True)
        self.steps.setCurrentIndex(max(0, self.steps.findData(step)))
        self.filtered.emit()

    def count(self, counts: Mapping[EventGroup, int]) -> None:
        """Show how many events each kind has."""
        wide = self.width() >= _TIGHT
        for group, made in self.buttons.items():
            words = tr(_ALL if group is None else group.value)
            number = sum(counts.values()) if group is None else counts.get(group, 0)
            text = f"{words} {number:,}" if wide or group is None else words
            if made.text() != text:
                made.setText(text)
            made.setToolTip(f"{words}: {number:,}")

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Hide or narrow fields if there is little room."""
        super().resizeEvent(event)
        self.steps.setVisible(event.size().width() >= _TIGHT // 2)
        self.runs.setFixedWidth(_RUNS if event.size().width() >= _TIGHT else _RUNS // 2)


def _box(name: str, width: int) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setMaximumWidth(width)
    made.setMinimumContentsLength(8)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


def _short(text: str) -> str:
    line = " ".join(text[:500].split())
    return line if len(line) <= _NAME else f"{line[: _NAME - 1]}…"


_SOON = 33
_NONE, _SOME = 0, 1


class EventPanel(QWidget):
    """The events of a run. Signal `row_wanted` carries the ids of a run and of a step to show in the plan. `badge` is
    the count on the view's tab."""

    row_wanted = Signal(str, str)

    def __init__(self, log: EventLog, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("events")
        self.setAccessibleName(tr("Events"))
        self._log = log
        self._counts: Counter[EventGroup] = Counter()
        self._counted = 0
        self._grown_from: int | None = None
        self.badge = Watched("")
        self.model = EventModel(self)
        self.table = EventTable(self.model, kit.theme)
        self.bar = EventBar()
        self._pages = QStackedWidget()
        self._pages.addWidget(EmptyState(tr("No events yet"),
                                         tr("What happens in a run is listed here, line by line.")))
        self._pages.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self._pages, 1)
        self._soon = Coalesced(_SOON, self._catch_up, self, kit.turns)
        self.bar.filtered.connect(self._filter)
        self.bar.run_chosen.connect(log.choose)
        self.table.row_wanted.connect(self._leave)
        self.table.only_row.connect(self.bar.choose_step)
        self._subscriptions = Subscriptions()
        self._subscriptions.add(log.grown.listen(self._grown))
        self._subscriptions.add(log.choices.watch(lambda _: self._show_runs()))
        self._subscriptions.add(log.run.changed.listen(lambda _: self._show_runs()))
        log.look()
        self._start_anew()

    def show_step(self, step: str) -> None:
        """Filter for the events of a step and give the list the keyboard."""
        self.bar.choose_step(step)
        self.take_keyboard()

    def take_keyboard(self) -> None:
        """Give the list the keyboard; if no event is current, the newest becomes it."""
        self.table.setFocus()
        if not self.table.currentIndex().isValid() and self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(self.model.rowCount() - 1, 0))

    def close_view(self) -> None:
        """End all subscriptions."""
        self._subscriptions.close()
        self._soon.drop()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show fewer columns if there is little room."""
        super().resizeEvent(event)
        self.table.fit(event.size().width())
        self.bar.count(self._counts)

    # --- showing

    def _grown(self, first: int) -> None:
        self._grown_from = first if self._grown_from is None else min(first, self._grown_from)
        self._soon.ask()

    def _catch_up(self) -> None:
        first, self._grown_from = self._grown_from, None
        if first is None:
            return
        if first == 0 or first < self._counted:
            self._start_anew()
            return
        self._count()
        self.model.grow()
        self.table.follow()

    def _start_anew(self) -> None:
        self.bar.show_rows(self._log.rows)
        self._counts.clear()
        self._counted = 0
        self._count()
        self._filter()

    def _filter(self) -> None:
        numbers = {row.step: row.number for row in self._log.rows}
        self.model.show(self._log.lines, numbers, self.bar.kept)

    def _count(self) -> None:
        lines = self._log.lines
        self._counts.update(line.group for line in lines[self._counted:])
        self._counted = len(lines)
        self.bar.count(self._counts)
        self.badge.set(f"{len(lines):,}" if lines else "")
        self._pages.setCurrentIndex(_SOME if lines else _NONE)

    def _show_runs(self) -> None:
        self.bar.show_runs(self._log.choices.value, self._log.run.value)

    def _leave(self, step: str) -> None:
        run = self._log.run.value
        if run is not None:
            self.row_wanted.emit(run, step)
