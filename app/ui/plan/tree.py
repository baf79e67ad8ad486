"""The plan's table as it is seen: groups and rows that fold, columns that give way, heights, rings that turn."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from app.i18n import tr
from app.ui.plan.columns import WIDTHS, PlanColumn, fit_columns, fix_header, set_up_tree
from app.ui.plan.delegate import PlanCells
from app.ui.plan.drawings import Look
from app.ui.plan.model import PlanIndex, PlanModel
from app.viewmodels.plan.rows import PlanGroup, PlanItem, PlanRow

_EVERY_MS = 40
_TURNS = 25
"""Steps of one time round."""


_MOST_MEASURED = 400
"""Rows."""


class PlanTree(QTreeView):
    """The tree view of a `PlanModel`."""

    def __init__(self, model: PlanModel, look: Look) -> None:
        super().__init__()
        self._model = model
        self._cells = PlanCells(look, model, self)
        self.setModel(model)
        self.setItemDelegate(self._cells)
        self._set_up()
        self._turns = 0
        self._rings = QTimer(self)
        self._rings.setInterval(_EVERY_MS)
        self._rings.timeout.connect(self._turn_on)
        self.collapsed.connect(self._folded)
        self.expanded.connect(self._unfolded)
        model.modelReset.connect(self._settle)
        model.rowsInserted.connect(lambda *_: self._span())
        self.verticalScrollBar().valueChanged.connect(lambda _: self._reach())

    def _set_up(self) -> None:
        set_up_tree(self, "plan-table", tr("Plan"))
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        fix_header(self, WIDTHS, PlanColumn.STEP)

    def step(self) -> str | None:
        """The id of the current row; None if there is none."""
        row = self._model.row_at(self.currentIndex())
        return None if row is None else row.id

    def steps(self) -> list[str]:
        """The ids of all selected rows and of the rows of selected groups, in the order of the table."""
        found: dict[str, None] = {}
        for index in sorted(self.selectionModel().selectedRows(), key=lambda one: (one.parent().row(), one.row())):
            item = self._model.item(index)
            found.update((row.id, None) for row in rows_of(item))
        return list(found)

    def fold(self, name: str, folded: bool) -> None:
        """Close (`folded`) or open the group `name`."""
        for g, group in enumerate(self._model.table.groups):
            if group.name == name:
                self.setExpanded(self._model.index(g, 0), not folded)

    def unfold(self, step: str, on: bool) -> None:
        """Show (`on`) or hide the loop items below a row."""
        current = self._model.item(self.currentIndex())
        if not on and isinstance(current, PlanItem) and current.row.id == step:
            self.setCurrentIndex(self._model.row_index(step, PlanColumn.STEP))
        self._model.unfold(step, on)
        self._choose_scrolling()
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
        """Start or stop the animated rings of running rows."""
        if on != self._rings.isActive():
            (self._rings.start if on else self._rings.stop)()

    def _turn_on(self) -> None:
        """Paint the rings in sight alone, not thirty rows for one of them."""
        self._turns = (self._turns + 1) % _TURNS
        self._cells.turn = self._turns / _TURNS
        index = self.indexAt(QPoint(1, 0))
        while index.isValid() and self.visualRect(index).top() < self.viewport().height():
            if self._model.runs(index):
                self.repaint_row(index)
            index = self.indexBelow(index)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._cells.narrow = fit_columns(self, event.size().width())
        super().resizeEvent(event)

    def dataChanged(  # noqa: N802 - Qt's name
        self, first: PlanIndex, last: PlanIndex, roles: Sequence[int] = ()  # noqa: ARG002 - Qt's
    ) -> None:
        """Repaint only the changed rows; their heights never change, so the view does not measure all rows again."""
        self._repaint(self.visualRect(first).united(self.visualRect(last)))

    def measure_rows(self, every: bool) -> None:
        """Let the view measure every row, which is slow with thousands, or assume that all are as high as the first."""
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
        # While a layout is pending, opening a group is only noted instead of measured.
        self.scheduleDelayedItemsLayout()
        for g, group in enumerate(self._model.table.groups):
            self.setExpanded(self._model.index(g, 0), group.name not in self._model.folded)
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
            self._model.folded.add(item.name)

    def _unfolded(self, index: QModelIndex) -> None:
        item = self._model.item(index)
        if isinstance(item, PlanGroup):
            self._model.folded.discard(item.name)

    def repaint_row(self, index: QModelIndex) -> None:
        """Repaint the row of an index."""
        self._repaint(self.visualRect(index))

    def _repaint(self, rows: QRect) -> None:
        if rows.isValid():
            self.viewport().update(0, rows.top(), self.viewport().width(), rows.height())

    def row_place(self, step: str) -> QRect:
        """The rectangle of a row in the viewport."""
        return self.visualRect(self._model.row_index(step))


def rows_of(item: PlanRow | PlanGroup | PlanItem | None) -> tuple[PlanRow, ...]:
    """The row itself, all rows of a group, or the row of a loop item; empty for None."""
    if isinstance(item, PlanGroup):
        return item.rows
    return () if item is None else (item.row if isinstance(item, PlanItem) else item,)
