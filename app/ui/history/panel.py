"""The history of one open project."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QMenu,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from agent.song.ids import IterationId
from app.desktop.open_project import OpenProject
from app.desktop.troubles import Trouble
from app.storage.records import Iteration
from app.ui.history.comparing import compared
from app.ui.history.comparison_dialog import ComparisonDialog
from app.ui.history.empty import EmptyHistory
from app.ui.history.graph import branches
from app.ui.history.model import HistoryModel
from app.ui.history.painting import HistoryDelegate
from app.ui.history.rows import HistoryRow, history_rows
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.notice import NoticeStrip

SMALLEST_WIDTH = 240
_FOOTER = 43
_SIDE = 8
_TURN_MS = 50
_TURNS = 20
_MOST_NAMED = 3


class HistoryPanel(QWidget):
    """Iterations newest first, what is proposed above them; compare two, restore one. Close it with `close_view`."""

    plan_wanted = Signal(object)
    """A run's id whose plan is to be shown; None for the plan under review."""
    about_changed = Signal(str)
    """A few words for the dock's title: "2 branches", or empty."""

    def __init__(self, opened: OpenProject, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened, self._kit = opened, kit
        self.setObjectName("history")
        self.setAccessibleName("History")
        self.setMinimumWidth(SMALLEST_WIDTH)
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.about = ""
        self.model = HistoryModel(self)
        self.list = _List(self.model, kit, self)
        self.dialog: ComparisonDialog | None = None
        self._notices: dict[str, NoticeStrip] = {}
        self._soon = Coalesced(0, self._show, self, kit.turns)
        self._lay_out()
        self.setFocusProxy(self.list)
        self._ring = QTimer(self)
        self._ring.setInterval(_TURN_MS)
        self._ring.timeout.connect(self._turn)
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._selected())
        self.list.activated.connect(lambda _: self._activate())
        self.list.restore_asked.connect(self.restore_selected)
        self.list.menu_asked.connect(self._menu)
        self._subscriptions = Subscriptions()
        self._listen()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._strips = QVBoxLayout()
        column.addLayout(self._strips)
        self._stack = QStackedLayout()
        self._stack.addWidget(EmptyHistory(self._kit))
        self._stack.addWidget(self.list)
        column.addLayout(self._stack, 1)
        footer = QWidget()
        footer.setProperty("surface", "bar")
        footer.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        footer.setFixedHeight(_FOOTER)
        row = QHBoxLayout(footer)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(6)
        self.compare = PlainButton("Compare", icon="git-diff")
        self.restore = PlainButton("Restore", icon="clock-counter-clockwise")
        self.compare.clicked.connect(self.compare_selected)
        self.restore.clicked.connect(self.restore_selected)
        row.addWidget(self.compare)
        row.addWidget(self.restore)
        row.addStretch()
        column.addWidget(footer)

    def _listen(self) -> None:
        opened = self._opened
        for watched in (opened.versions.iterations, opened.reviewing.proposal, opened.running.live):
            self._subscriptions.add(watched.changed.listen(lambda _: self._soon.ask()))
        self._subscriptions.add(opened.versions.damaged.watch(self._tell_damaged))
        self._subscriptions.add(opened.troubles.told.listen(self._trouble))
        self._show()

    # --- what can be done here

    @property
    def selection(self) -> tuple[Iteration, ...]:
        """The selected iterations, oldest first."""
        rows = (self.model.row(index) for index in self.list.selectionModel().selectedIndexes())
        found = [row.iteration for row in rows if row is not None and row.iteration is not None]
        return tuple(sorted(found, key=lambda one: one.number))

    def select(self, iteration_id: str) -> None:
        """Select one iteration and scroll to it; an unknown id selects nothing."""
        index = self.model.index_of(IterationId(iteration_id))
        if index.isValid():
            # The list's own way would heed Ctrl and Shift that happen to be held.
            clear = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.list.selectionModel().setCurrentIndex(index, clear)
            self.list.scrollTo(index)
        else:
            self.list.selectionModel().clear()

    def compare_selected(self) -> None:
        """Show what differs between the two selected iterations."""
        chosen = self.selection
        if len(chosen) == 2:
            self._kit.tasks.start(self._compare(*chosen), "history")

    def restore_selected(self) -> None:
        """Make the selected iteration the newest one; the others stay."""
        if self.restore.isEnabled():
            self._kit.tasks.start(self._restore(self.selection[0]), "history")

    def close_view(self) -> None:
        """Listen to nothing any more, and let no timer run."""
        self._subscriptions.close()
        self._soon.drop()
        self._ring.stop()
        if self.dialog is not None:
            self.dialog.close()

    async def _compare(self, a: Iteration, b: Iteration) -> None:
        changes = await self._opened.versions.compare(a, b)
        if self.dialog is not None:
            self.dialog.close()
        self.dialog = ComparisonDialog(self._kit, a, b, compared(changes), self)
        self.dialog.destroyed.connect(self._forget_dialog)
        self.dialog.open()

    def _forget_dialog(self) -> None:
        self.dialog = None

    async def _restore(self, one: Iteration) -> None:
        made = await self._opened.versions.restore(one.id)
        self._soon.now()
        self.select(made.id)

    # --- what is shown

    def _show(self) -> None:
        versions, live = self._opened.versions, self._opened.running.live.value
        iterations = versions.iterations.value
        chosen = [one.id for one in self.selection]
        rows = history_rows(iterations, versions.head, self._opened.reviewing.proposal.value, live)
        self.model.show_rows(rows)
        if [one.id for one in self.selection] != chosen:
            self._select_all(chosen)
        self._stack.setCurrentIndex(1 if rows else 0)
        running = live is not None and live.running
        if running != self._ring.isActive():
            (self._ring.start if running else self._ring.stop)()
        count = branches(iterations)
        about = f"{count} branches" if count > 1 else ""
        if about != self.about:
            self.about = about
            self.about_changed.emit(about)
        self._selected()

    def _select_all(self, chosen: list[IterationId]) -> None:
        model = self.list.selectionModel()
        for one in chosen:
            model.select(self.model.index_of(one), QItemSelectionModel.SelectionFlag.Select)

    def _selected(self) -> None:
        chosen, live = self.selection, self._opened.running.live.value
        letters = {chosen[0].id: "A", chosen[1].id: "B"} if len(chosen) == 2 else {}
        self.list.delegate.letters = letters
        self.list.viewport().update()
        two = len(chosen) == 2
        self.compare.setEnabled(two)
        self.compare.setToolTip(
            "Show what differs between A and B" if two else "Select two iterations to compare them (Ctrl+click)"
        )
        why = ""
        if len(chosen) != 1:
            why = "Select one iteration to restore it"
        elif chosen[0].id == self._opened.versions.head:
            why = "This is the current iteration"
        elif live is not None and live.running:
            why = "A run holds the song"
        self.restore.setEnabled(not why)
        self.restore.setToolTip(why or "Make this iteration the newest one; nothing is lost")

    def _turn(self) -> None:
        self.list.delegate.turn = (self.list.delegate.turn + 1 / _TURNS) % 1
        first = self.model.index(0)
        self.list.viewport().update(self.list.visualRect(first))

    def _activate(self) -> None:
        row = self.model.row(self.list.currentIndex())
        if len(self.selection) == 2:
            self.compare_selected()
        elif row is not None and (row.kind != "iteration" or row.run is not None):
            self.plan_wanted.emit(row.run)

    def _menu(self, at: QPoint) -> None:
        row = self.model.row(self.list.currentIndex())
        if row is not None:
            self.menu_for(row).popup(at)

    def menu_for(self, row: HistoryRow) -> QMenu:
        """All that can be done with a row, also without a mouse."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if row.kind != "iteration" or row.run is not None:
            menu.addAction("Show plan", lambda: self.plan_wanted.emit(row.run))
        menu.addAction("Compare", self.compare_selected).setEnabled(self.compare.isEnabled())
        menu.addAction("Restore", self.restore_selected).setEnabled(self.restore.isEnabled())
        menu.addAction("Copy words", lambda: QGuiApplication.clipboard().setText(_copied(row)))
        return menu

    def _tell_damaged(self, damaged: tuple[str, ...]) -> None:
        if damaged:
            named = "; ".join(damaged[:_MOST_NAMED])
            more = f"; and {len(damaged) - _MOST_NAMED} more" if len(damaged) > _MOST_NAMED else ""
            self._notice("damaged", Trouble("history", "some iterations are damaged", named + more,
                                            "restore another iteration; these stay as they are"))

    def _trouble(self, trouble: Trouble) -> None:
        if trouble.place == "history":
            self._notice("trouble", trouble)

    def _notice(self, kind: str, trouble: Trouble) -> None:
        before = self._notices.pop(kind, None)
        if before is not None:
            self._strips.removeWidget(before)
            before.deleteLater()
        strip = NoticeStrip(trouble, self, tone="warn" if kind == "damaged" else "bad", card=True)
        strip.dismissed.connect(lambda: self._notices.pop(kind, None))
        self._notices[kind] = strip
        self._strips.addWidget(strip)
        strip.announce()


class _List(QListView):
    restore_asked = Signal()
    menu_asked = Signal(QPoint)

    def __init__(self, model: HistoryModel, kit: Kit, parent: QWidget) -> None:
        super().__init__(parent)
        self.delegate = HistoryDelegate(kit, self)
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName("Iterations")
        self.setProperty("surface", "panel")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda at: self.menu_asked.emit(self.viewport().mapToGlobal(at)))
        kit.theme.changed.connect(self.viewport().update)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 - Qt's name
        """Letters are commands of the window here."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Space and letters are the window's."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if plain and event.text() and event.text().isprintable():
            event.ignore()
        else:
            super().keyPressEvent(event)


def _copied(row: HistoryRow) -> str:
    return row.title if row.iteration is None else row.iteration.message or row.title
