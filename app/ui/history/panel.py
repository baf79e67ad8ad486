"""The history of one open project."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedLayout, QVBoxLayout, QWidget

from agent.song.ids import IterationId
from app.i18n import tr, trn
from app.storage.records import Iteration
from app.ui.history.comparison_page import ComparisonPage
from app.ui.history.filter_bar import FilterBar
from app.ui.history.graph import branches
from app.ui.history.model import HistoryModel
from app.ui.history.notices import EmptyHistory, HistoryNotices
from app.ui.history.rows import HistoryRow, HistoryState, history_rows
from app.ui.history.version_list import VersionList
from app.ui.history.version_menu import VersionDetails, VersionFooter, version_menu
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.empty_state import EmptyState
from app.viewmodels.history.version_reasons import Reasons, reasons
from app.viewmodels.open_project import OpenProject

SMALLEST_WIDTH = 240
_AT_ONCE = 300
"""Number of iterations up to which rows are made at once; more are made in a thread."""
_ROOM_FOR_DETAILS = 430


class HistoryPanel(QWidget):
    """The history of a project: iterations newest first, the proposed plan above them; iterations can be compared,
    restored, branched and named. Close it with `close_view`."""

    plan_wanted = Signal(object)
    """Emitted with the id of a run whose plan is to be shown; None for the plan under review."""
    about_changed = Signal(str)
    """Emitted with the secondary text for the dock's title, such as "2 branches"; empty for none."""
    page_wanted = Signal(object)
    """Emitted with a widget to be shown as central page; None removes it."""
    sight_wanted = Signal(str)
    """Emitted with the id of an iteration that is to be shown, because an action needs it to be selected."""

    def __init__(self, opened: OpenProject, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened, self._kit = opened, kit
        self.setObjectName("history")
        self.setAccessibleName(tr("History"))
        self.setMinimumWidth(SMALLEST_WIDTH)
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.about = ""
        self.model = HistoryModel(self)
        self.list = VersionList(self.model, kit, self)
        self.filter = FilterBar()
        self.details = VersionDetails(kit)
        self.page: ComparisonPage | None = None
        self._turn_of_rows = 0
        self._closed = False
        self._awaited: IterationId | None = None
        self._unfolded: frozenset[IterationId] = frozenset()
        self._turned: IterationId | None = None
        self._soon = Coalesced(0, self._show, self, kit.turns)
        self._lay_out()
        self.setFocusProxy(self.list)
        self._connect()
        self._subscriptions = Subscriptions()
        self._listen()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._notices = HistoryNotices(self)
        column.addLayout(self._notices)
        column.addWidget(self.filter)
        self._stack = QStackedLayout()
        # What is put into a layout that has no place yet is shown as a window of its own.
        column.addLayout(self._stack, 1)
        self._stack.addWidget(EmptyHistory(self._kit))
        self._stack.addWidget(self.list)
        self._stack.addWidget(EmptyState(tr("No iteration fits"), tr("Change the search or the filter above.")))
        column.addWidget(self.details)
        self._footer = VersionFooter()
        self.compare, self.restore, self.branch = self._footer.compare, self._footer.restore, self._footer.branch
        column.addWidget(self._footer)

    def _connect(self) -> None:
        self.compare.clicked.connect(self.compare_selected)
        self.restore.clicked.connect(self.restore_selected)
        self.branch.clicked.connect(self.branch_selected)
        self.filter.changed.connect(lambda _: self._show())
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._selected())
        self.list.activated.connect(lambda _: self._activate())
        self.list.menu_asked.connect(self._menu)
        self.list.branch_asked.connect(self.branch_selected)
        self.list.name_asked.connect(self.name_current)
        self.list.escape_asked.connect(self.close_comparison)
        self.list.fold_asked.connect(lambda row, _: self.turn_group(row))
        self.model.named.connect(self._named)

    def _listen(self) -> None:
        opened = self._opened
        versions = opened.versions
        for watched in (
            versions.iterations, versions.names, versions.at, opened.reviewing.proposal, opened.running.live
        ):
            self._subscriptions.add(watched.changed.listen(lambda _: self._soon.ask()))
        self._subscriptions.add(versions.damaged.watch(self._notices.tell_damaged))
        self._subscriptions.add(opened.troubles.told.listen(self._notices.tell))
        self._show()

    # --- what can be done here

    @property
    def selection(self) -> tuple[Iteration, ...]:
        """The selected iterations, oldest first."""
        return self.list.chosen

    def select(self, iteration_id: str) -> None:
        """Select one iteration and scroll to it, also if the filter hides it; an unknown id selects nothing."""
        wanted = IterationId(iteration_id)
        index = self.model.index_of(wanted)
        row = self.model.row(index)
        if row is not None and row.group is not None and row.id != wanted:
            self._awaited = wanted
            self.turn_group(row)
            return
        known = any(one.id == wanted for one in self._opened.versions.iterations.value)
        if not index.isValid() and known:
            # Its row comes with the next rows, which may be made in a thread.
            self._awaited = wanted
            self.filter.clear()
            self._soon.ask()
        elif index.isValid():
            self.list.go_to(index)
        else:
            self.list.selectionModel().clear()

    def compare_selected(self) -> None:
        """Compare the two selected iterations, or the selected one with the current one; if neither is possible, point
        to what to select."""
        pair = self._why().pair
        if pair is None:
            self._point()
        else:
            self.show_comparison(*pair)

    def show_comparison(self, a: Iteration, b: Iteration) -> None:
        """Open the comparison from A to B as central page."""
        if self.page is None:
            self.page = ComparisonPage(self._opened, self._kit)
            self.page.closed.connect(self.close_comparison)
            self.page.branch_made.connect(self._branch_made)
            self.list.takes_escape = True
            self.page_wanted.emit(self.page)
        else:
            self.page.setFocus()
        self._kit.tasks.start(self._compare(self.page, a, b), "history")

    def close_comparison(self) -> None:
        """Close the comparison and show the timeline again."""
        page, self.page = self.page, None
        if page is not None:
            page.close_view()
            self.list.takes_escape = False
            self.page_wanted.emit(None)
            page.hide()
            page.deleteLater()
            self._selected()

    def restore_selected(self) -> None:
        """Make the song of the selected iteration the newest iteration; the others stay."""
        if self._why().restore:
            self._point()
        else:
            self._kit.tasks.start(self._restore(self.selection[0]), "history")

    def branch_selected(self) -> None:
        """Continue from the selected iteration: in a new branch, or in its own if it is the end of one."""
        if self._why().branch:
            self._point()
        else:
            self._kit.tasks.start(self._branch(self.selection[0]), "history")

    def _point(self) -> None:
        """Show where an iteration is selected, with the one that is, or the current one."""
        chosen = self.selection
        wanted = chosen[0].id if chosen else self._opened.versions.head
        if wanted is not None:
            self.sight_wanted.emit(wanted)
        self.list.setFocus()

    def turn_group(self, row: HistoryRow) -> None:
        """Open a group of changes made by hand, or fold it, and move the keyboard to its row."""
        if row.group is not None:
            self._turned = row.group.key
            self._unfolded ^= {row.group.key}
            self._show()

    def name_current(self) -> None:
        """Edit the name of the current iteration in place; a folded group is opened instead, to select one of its
        members."""
        index = self.list.currentIndex()
        row = self.model.row(index)
        if row is not None and row.kind == "iteration":
            self.list.edit(index)
        elif row is not None and row.group is not None and not row.open:
            self.turn_group(row)

    def close_view(self) -> None:
        """End all subscriptions and timers."""
        self._closed = True
        self._subscriptions.close()
        self._soon.drop()
        self.list.turn_ring(False)
        self.filter.typing.stop()
        self.close_comparison()

    async def _compare(self, page: ComparisonPage, a: Iteration, b: Iteration) -> None:
        try:
            await page.compare(a, b)
        except Exception:
            # It is told in the history; a page without a comparison is of no use.
            if self.page is page and page.versions is None:
                self.close_comparison()
            raise
        if self.page is page:
            self._selected()

    async def _restore(self, one: Iteration) -> None:
        made = await self._opened.versions.restore(one.id)
        self._shown(made.id)

    async def _branch(self, one: Iteration) -> None:
        made = await self._opened.versions.go_on_from(one.id)
        self._shown(made.id)

    def _shown(self, made: IterationId) -> None:
        if self._closed:
            return
        self._soon.drop()
        self._show()
        self.select(made)

    def _branch_made(self, made: str) -> None:
        self.close_comparison()
        self._shown(IterationId(made))

    def _named(self, one: str, name: str) -> None:
        self._kit.tasks.start(self._opened.versions.name(IterationId(one), name), "history")

    # --- what is shown

    def _show(self) -> None:
        versions, live = self._opened.versions, self._opened.running.live.value
        state = HistoryState(
            versions.iterations.value, versions.head, versions.names.value, self._opened.reviewing.proposal.value,
            live, self.filter.wanted, self._unfolded,
        )
        self._turn_of_rows += 1
        if len(state.iterations) <= _AT_ONCE:
            self._put(history_rows(state), state)
        else:
            self._kit.tasks.start(self._make(state, self._turn_of_rows), "history")
        self.list.turn_ring(live is not None and live.running)

    async def _make(self, state: HistoryState, turn: int) -> None:
        rows = await asyncio.to_thread(history_rows, state)
        if turn == self._turn_of_rows and not self._closed:
            self._put(rows, state)

    def _put(self, rows: tuple[HistoryRow, ...], state: HistoryState) -> None:
        chosen = [one.id for one in self.selection]
        self.model.show_rows(rows)
        if [one.id for one in self.selection] != chosen:
            self.list.choose(chosen)
        turned, self._turned = self._turned, None
        if turned is not None:
            at = self.model.index_of_group(turned)
            self.list.selectionModel().setCurrentIndex(at, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.list.scrollTo(at)
        awaited, self._awaited = self._awaited, None
        if awaited is not None and self.model.index_of(awaited).isValid():
            self.select(awaited)
        self._stack.setCurrentIndex(1 if rows else 2 if state.wanted.active else 0)
        self.filter.setVisible(len(state.iterations) > 1)
        count = branches(state.iterations)
        about = trn("{count} branch", "{count} branches", count) if count > 1 else ""
        if about != self.about:
            self.about = about
            self.about_changed.emit(about)
        self._selected()

    def _why(self) -> Reasons:
        live, versions = self._opened.running.live.value, self._opened.versions
        return reasons(
            self.selection, versions.iterations.value, versions.head, running=live is not None and live.running
        )

    def _selected(self) -> None:
        chosen, why = self.selection, self._why()
        shown = None if self.page is None else self.page.versions
        pair = shown or (chosen if len(chosen) == 2 else ())
        self.list.delegate.letters = {one.id: letter for one, letter in zip(pair, "AB", strict=False)}
        self.list.viewport().update()
        self._footer.show_reasons(why)
        self._detail()

    def _detail(self) -> None:
        if self.height() < _ROOM_FOR_DETAILS:
            self.details.hide()
            return
        numbers = {str(one.id): one.number for one in self._opened.versions.iterations.value} if self.selection else {}
        self.details.show_versions(self.selection, numbers, self._opened.versions.head or "")

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show details only if the list has enough room beside them."""
        super().resizeEvent(event)
        self._detail()

    def _activate(self) -> None:
        row = self.model.row(self.list.currentIndex())
        if len(self.selection) == 2:
            self.compare_selected()
        elif row is not None and row.group is not None:
            self.turn_group(row)
        elif row is not None and (row.kind != "iteration" or row.run is not None):
            self.plan_wanted.emit(row.run)

    def _menu(self, at: QPoint) -> None:
        row = self.model.row(self.list.currentIndex())
        if row is not None:
            self.menu_for(row).popup(at)

    def menu_for(self, row: HistoryRow) -> QMenu:
        """The context menu of a row."""
        return version_menu(self, self, row, self._why(), two=len(self.selection) == 2)
