"""The table itself: mouse and keys turned into wishes, and columns that give way when it is narrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTreeView, QWidget

from app.desktop.table.plan_rows import PlanGroup, PlanRow, place_beside
from app.desktop.table.row_items import PlanItem
from app.ui.plan.cells import PlanCells
from app.ui.plan.clicks import PlanClicks
from app.ui.plan.columns import Column, fit_columns, set_up_columns
from app.ui.plan.keys import PlanKeys
from app.ui.plan.look import Look
from app.ui.plan.model import Index, PlanModel
from app.ui.plan.rings import Rings
from app.ui.plan.row_drag import RowDrag
from app.ui.plan.row_menu import row_menu
from app.words import tr

_MOST_MEASURED = 400
"""Rows."""


class PlanView(QTreeView):
    """Shows a `PlanModel`. Every signal carries the ids of steps."""

    decide = Signal(list, bool)
    """Steps to approve (True) or reject."""
    edit_asked = Signal(str)
    back_asked = Signal(str)
    hear_asked = Signal(str)
    fix_asked = Signal(str)
    retry_asked = Signal()
    """What failed is to be run again."""
    reason_asked = Signal(list)
    """Steps to reject with a reason."""
    again_asked = Signal(list)
    """Steps to ask for again."""
    afresh_asked = Signal()
    events_asked = Signal(str)
    notes_asked = Signal(str)
    """The step of a row to open, so that its notes are shown, or to close."""
    roll_asked = Signal(str)
    """The step whose clip is to be seen in the piano roll."""
    move_asked = Signal(str, str, bool)
    """A step, the one beside which it is to stand, and whether below that."""
    undo_asked = Signal()
    redo_asked = Signal()
    left = Signal()
    """Esc, where the keyboard came from the request that the plan answers."""
    chosen = Signal(str)
    hovered = Signal(frozenset)
    """The steps under the pointer: one of a row, all of a group."""

    def __init__(self, model: PlanModel, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.cells = PlanCells(look, self)
        self.setModel(model)
        self.setItemDelegate(self.cells)
        self._look = look
        self._drag: RowDrag | None = None
        self._answers = False
        self._keys = PlanKeys(self, model)
        self._clicks = PlanClicks(self, model)
        self.obstacle: Callable[[str, str, bool], str] = lambda *_: ""
        """Why a step cannot stand beside another one, below it or above; empty where it can."""
        self.undoable: Callable[[], tuple[str, str]] = lambda: ("", "")
        """The decisions that can be taken back and brought again, in words; empty for none."""
        self._set_up()
        self._rings = Rings(self, model)
        self.collapsed.connect(self._folded)
        self.expanded.connect(self._unfolded)
        model.modelReset.connect(self._settle)
        model.rowsInserted.connect(lambda *_: self._span())
        self.verticalScrollBar().valueChanged.connect(lambda _: self._reach())

    def _set_up(self) -> None:
        self.setObjectName("plan-table")
        self.setAccessibleName(tr("Plan"))
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_up_columns(self)

    # --- what is shown

    def step(self) -> str | None:
        """The step of the current row."""
        row = self._model.row_at(self.currentIndex())
        return None if row is None else row.id

    def steps(self) -> list[str]:
        """The steps of all selected rows and groups, in the order of the table."""
        found: dict[str, None] = {}
        for index in sorted(self.selectionModel().selectedRows(), key=lambda one: (one.parent().row(), one.row())):
            item = self._model.item(index)
            found.update((row.id, None) for row in _rows_of(item))
        return list(found)

    def choose(self, step: str | None) -> None:
        """Select and show a step; None selects no step: the line of a group that is current stays so. Tells nobody."""
        if step is None:
            if self.step() is not None:
                self.selectionModel().clear()
            return
        index = self._model.row_index(step, Column.STEP)
        if not index.isValid() or step == self.step():
            return
        self.setExpanded(index.parent(), True)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def take_answer(self) -> None:
        """Take the keyboard from the request that the plan answers; Esc gives it back as long as it stays here."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._answers = self.hasFocus()
        self.show_top()

    def forget_request(self) -> None:
        """The plan that answered it is no longer there: Esc is the window's again."""
        self._answers = False

    def show_top(self) -> None:
        """The table from its top, with the keyboard at its beginning if it is here."""
        self.scrollToTop()
        if self.hasFocus() and not self.currentIndex().isValid():
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(self._model.index(0, 0), flag)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """The way back ends where the person goes on to something else."""
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._answers = False
        super().focusOutEvent(event)

    def fold(self, name: str, folded: bool) -> None:
        """Close or open a group."""
        for g, group in enumerate(self._model.table.groups):
            if group.name == name:
                self.setExpanded(self._model.index(g, 0), not folded)

    def unfold(self, step: str, on: bool) -> None:
        """Show the items of a row under it, or fold them away."""
        current = self._model.item(self.currentIndex())
        if not on and isinstance(current, PlanItem) and current.row.id == step:
            self.setCurrentIndex(self._model.row_index(step, Column.STEP))
        self._model.unfold(step, on)
        self._choose_scrolling()
        self.cells.unfolded = self._model.unfolded
        if on:
            self.setExpanded(self._model.row_index(step), True)
        self.repaint_row(self._model.row_index(step))

    def _reach(self) -> None:
        """Make more items where the last that are made come near."""
        for step in self._model.growing():
            last = self.visualRect(self._model.last_made(step))
            if last.isValid() and last.top() < 2 * self.viewport().height():
                self._model.grow(step)
                self._choose_scrolling()

    def turn_rings(self, on: bool) -> None:
        """Let the rings of running rows turn, while a run goes on."""
        self.cells.busy = on
        self._rings.turn(on)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Hide what the tooltip also says when there is no room for it."""
        self.cells.narrow = fit_columns(self, event.size().width())
        super().resizeEvent(event)

    def dataChanged(  # noqa: N802 - Qt's name
        self, first: Index, last: Index, roles: Sequence[int] = ()  # noqa: ARG002 - Qt's
    ) -> None:
        """Repaint those rows alone; heights never depend on data, so a tree's measuring of every row is left out."""
        rows = self.visualRect(first).united(self.visualRect(last))
        if rows.isValid():
            self.viewport().update(0, rows.top(), self.viewport().width(), rows.height())

    def measure_rows(self, every: bool) -> None:
        """Measure every row, which is slow with thousands, or only the first."""
        self.setUniformRowHeights(not every)
        self._choose_scrolling()

    def _choose_scrolling(self) -> None:
        """A long table of rows of several heights is scrolled by rows: by pixels all of them would be measured."""
        modes = QAbstractItemView.ScrollMode
        whole = not self.uniformRowHeights() and self._model.made > _MOST_MEASURED
        wanted = modes.ScrollPerItem if whole else modes.ScrollPerPixel
        if self.verticalScrollMode() != wanted:
            self.setVerticalScrollMode(wanted)

    def _settle(self) -> None:
        self.cells.run, self.cells.unfolded = self._model.table.run, self._model.unfolded
        # While a layout is pending, opening a group is only noted instead of measured.
        self.scheduleDelayedItemsLayout()
        for g, group in enumerate(self._model.table.groups):
            self.setExpanded(self._model.index(g, 0), group.name not in self.cells.folded)
        # Spanning carries the layout out, so it comes last.
        self._span()

    def _span(self) -> None:
        for g in range(len(self._model.table.groups)):
            self.setFirstColumnSpanned(g, QModelIndex(), True)
        for step in self._model.opened:
            place = self._model.row_index(step)
            self.setFirstColumnSpanned(0, place, True)
            self.setExpanded(place, True)

    def _folded(self, index: QModelIndex) -> None:
        item = self._model.item(index)
        if isinstance(item, PlanGroup):
            self.cells.folded.add(item.name)

    def _unfolded(self, index: QModelIndex) -> None:
        item = self._model.item(index)
        if isinstance(item, PlanGroup):
            self.cells.folded.discard(item.name)

    def repaint_row(self, index: QModelIndex) -> None:
        """Paint one row again."""
        place = self.visualRect(index)
        if place.isValid():
            self.viewport().update(0, place.top(), self.viewport().width(), place.height())

    # --- wishes

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802 - Qt's name
        """Tell which step is chosen now."""
        super().currentChanged(current, previous)
        row = self._model.row_at(current)
        self.chosen.emit("" if row is None else row.id)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 - Qt's name
        """Letters are commands of the window here."""

    def event(self, event: QEvent) -> bool:
        """On the ✓ cell Space is the table's, elsewhere it plays; undo is that of decisions while there are any."""
        taken = event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if taken and isinstance(event, QKeyEvent) and (self._keys.taken(event) or self._leaves(event)):
            event.accept()
            return True
        return super().event(event)

    def move_row(self, by: int) -> None:
        """Let the current row change places with the one above or below; at the edge of its group it joins the next."""
        step, table = self.step(), self._model.table
        wanted = None if table.run or step is None else place_beside(table, step, by)
        if step is not None and wanted is not None:
            self.move_asked.emit(step, *wanted)

    def row_under(self, at: QPoint) -> PlanRow | None:
        """The row at a place, or whose story lies there."""
        return self._model.row_at(self.indexAt(at))

    def row_place(self, step: str) -> QRect:
        """Where a row lies."""
        return self.visualRect(self._model.row_index(step))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """The table, and over it where a dragged row would come to lie."""
        super().paintEvent(event)
        if self._drag is not None:
            with QPainter(self.viewport()) as painter:
                self._drag.paint(painter)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Esc ends a drag; see `PlanKeys` for the rest."""
        if event.key() == Qt.Key.Key_Escape and self._drag is not None:
            self._drag.cancel()
            self._drag = None
        elif self._leaves(event):
            self.left.emit()
        elif not self._keys.press(event):
            super().keyPressEvent(event)

    def _leaves(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        return event.key() == Qt.Key.Key_Escape and plain and self._answers and self._drag is None

    def toggle(self, index: QModelIndex) -> None:
        """Approve or reject a row, or a whole group."""
        item = self._model.item(index)
        if self._model.table.run or item is None or isinstance(item, PlanItem):
            return
        if isinstance(item, PlanGroup):
            self.decide.emit([row.id for row in item.rows], item.approved is not True)
        else:
            self.decide.emit([item.id], not item.approved)

    def decide_all(self, approved: bool) -> None:
        """Approve or reject every row that is shown."""
        if not self._model.table.run:
            self.decide.emit([row.id for group in self._model.table.groups for row in group.rows], approved)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click on a box, a caret, an icon, or on a row."""
        at, left = event.position().toPoint(), event.button() is Qt.MouseButton.LeftButton
        if left and self._clicks.single(at):
            return
        super().mousePressEvent(event)
        step = self._clicks.draggable(at) if left else ""
        if step:
            self._drag = RowDrag(self, self._look, step, at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Edit a row, or click once more."""
        if not self._clicks.double(event.position().toPoint()):
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Go on with a drag, or light the row or group under the mouse."""
        if self._drag is not None:
            self._drag.move(event.position().toPoint(), self.obstacle)
            return
        index = self.indexAt(event.position().toPoint())
        row, item = self._model.row_at(index), self._model.item(index)
        self.hovered.emit(frozenset(one.id for one in _rows_of(item if row is None else row)))
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Let a dragged row go."""
        drag, self._drag = self._drag, None
        wanted = None if drag is None else drag.end()
        if wanted is not None:
            self.move_asked.emit(*wanted)
        super().mouseReleaseEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """No row is under the mouse any more."""
        self.hovered.emit(frozenset())
        super().leaveEvent(event)

    def light(self, steps: frozenset[str]) -> None:
        """Light the rows of these steps, and no others."""
        if steps != self.cells.lit:
            self.cells.lit = steps
            self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """All that can be done with rows, also without a mouse."""
        row = self._model.row_at(self.currentIndex())
        menu = None if row is None else row_menu(self, row)
        if menu is None or menu.isEmpty():
            return
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


def _rows_of(item: PlanRow | PlanGroup | PlanItem | None) -> tuple[PlanRow, ...]:
    if isinstance(item, PlanGroup):
        return item.rows
    return () if item is None else (item.row if isinstance(item, PlanItem) else item,)
