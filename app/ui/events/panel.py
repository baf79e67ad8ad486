"""The events of the run that is shown, or of an earlier one of the project."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.events.bar import EventBar
from app.ui.events.model import EventModel
from app.ui.events.table import EventTable
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.empty_state import EmptyState
from app.viewmodels.events.event_lines import EventGroup
from app.viewmodels.events.event_log import EventLog
from app.viewmodels.watched import Watched

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
