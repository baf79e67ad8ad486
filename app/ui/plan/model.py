"""The plan's table as Qt sees it: groups, their rows, and under a row its story and its unfolded items."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.i18n import tr
from app.ui.plan.columns import PlanColumn, title_of, told
from app.viewmodels.plan.row_states import RowMark
from app.viewmodels.plan.rows import PlanGroup, PlanItem, PlanRow, PlanTable, changed_items, item_at


def shape(table: PlanTable) -> tuple[object, ...]:
    """A value that is equal for tables with the same groups, rows and items, whatever their state."""
    return (table.run, *((group.name, *(row.id for row in group.rows)) for group in table.groups))


def alike(one: PlanRow, other: PlanRow) -> bool:
    """Whether two versions of one row look the same, so that it need not be repainted."""
    if one is other:
        return True
    return one.facts is other.facts and (
        (one.standing, one.approved, one.edited, one.findings, one.was, one.progress.of)
        == (other.standing, other.approved, other.edited, other.findings, other.was, other.progress.of)
    )


def runs(changed: list[bool]) -> list[tuple[int, int]]:
    """First and last index of each stretch of True values."""
    found: list[tuple[int, int]] = []
    for place, one in enumerate(changed):
        if one and found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        elif one:
            found.append((place, place))
    return found


PlanIndex: TypeAlias = QModelIndex | QPersistentModelIndex

ROW = Qt.ItemDataRole.UserRole + 1
"""The `PlanRow`, `PlanGroup` or `PlanItem` of an index."""

_PLAIN = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_CHECKED = _PLAIN | Qt.ItemFlag.ItemIsUserCheckable
_CHUNK = 200
"""Items that are made at once; more are when the last of them comes into sight."""
_SHIFT = 20
_LOW = (1 << _SHIFT) - 1


_COLUMNS = len(PlanColumn)
_NO_INDEX = QModelIndex()


class PlanModel(QAbstractItemModel):
    """Qt model of a `PlanTable`. If a new table has the same rows, only the changed ones are signalled. `fixable` tells
    whether a finding on a row can be fixed with one click."""

    def __init__(self, parent: QObject | None = None, fixable: Callable[[PlanRow], bool] = lambda _: False) -> None:
        super().__init__(parent)
        self.fixable = fixable
        self.noted: frozenset[str] = frozenset()
        """Ids of the rows whose notes are shown below them."""
        self.lit: frozenset[str] = frozenset()
        """Ids of the rows under the pointer, here or on the timeline."""
        self.busy = False
        """Whether no row can be tried again: a run goes on, or its work is not in the song."""
        self.folded: set[str] = set()
        """Names of the groups whose rows are hidden."""
        self._table = PlanTable()
        self._open: frozenset[str] = frozenset()
        self.unfolded: dict[str, int] = {}
        """How many loop items are created so far below each row, by its id, whose items are shown."""
        self._places: dict[str, tuple[int, int]] = {}

    @property
    def table(self) -> PlanTable:
        """The table that is shown."""
        return self._table

    @property
    def run(self) -> bool:
        """Whether a run is shown, not a plan under review."""
        return self._table.run

    @property
    def opened(self) -> frozenset[str]:
        """Ids of the rows with an opened detail row (story) below."""
        return self._open & self._places.keys()

    def show(self, table: PlanTable, opened: Collection[str] = ()) -> bool:
        """Show another table, with a detail row (story) below each row in `opened` (step ids); True if it has other
        rows than the table before."""
        wanted = frozenset(opened)
        if shape(table) != shape(self._table):
            self.beginResetModel()
            self._table, self._open, self.unfolded = table, wanted, {}
            self._places = {
                row.id: (g, r) for g, group in enumerate(table.groups) for r, row in enumerate(group.rows)
            }
            self.endResetModel()
            return True
        before, self._table = self._table, table
        self._tell_changes(before, table)
        for step in tuple(self.unfolded):
            g, r = self._places[step]
            self._tell_items(before.groups[g].rows[r], table.groups[g].rows[r])
        self._open_close(wanted & self._places.keys())
        return False

    def _tell_changes(self, before: PlanTable, table: PlanTable) -> None:
        last = len(PlanColumn) - 1
        for g, (old, new) in enumerate(zip(before.groups, table.groups, strict=True)):
            if old is new:
                continue
            if (old.summary, old.approved, old.mark) != (new.summary, new.approved, new.mark):
                self.dataChanged.emit(self.index(g, 0), self.index(g, last))
            group = self.index(g, 0)
            for first, end in runs([not alike(a, b) for a, b in zip(old.rows, new.rows, strict=True)]):
                self.dataChanged.emit(self.index(first, 0, group), self.index(end, last, group))

    def _open_close(self, wanted: frozenset[str]) -> None:
        for step in self._open - wanted:
            self.beginRemoveRows(self.row_index(step), 0, 0)
            self._open -= {step}
            self.endRemoveRows()
        for step in wanted - self._open:
            self.beginInsertRows(self.row_index(step), 0, 0)
            self._open |= {step}
            self.endInsertRows()

    def _tell_items(self, before: PlanRow, row: PlanRow) -> None:
        if before is row:
            return
        made, count = self.unfolded[row.id], row.item_count
        if count < made:
            self._unmake(row.id, count)
        elif made < _CHUNK:
            self._make(row.id, min(count, _CHUNK))
        place, first = self.row_index(row.id), row.id in self._open
        changed = changed_items(before, row, min(made, count))
        if changed:
            self.dataChanged.emit(
                self.index(changed[0] + first, 0, place), self.index(changed[-1] + first, _COLUMNS - 1, place)
            )

    # --- items

    def has_items(self, step: str) -> bool:
        """Whether a row has loop items that can be shown below it."""
        row = self._row(step)
        return row is not None and row.item_count > 0

    def unfold(self, step: str, on: bool) -> None:
        """Show (`on`) or hide the loop items below a row."""
        row = self._row(step)
        if row is None or on is (step in self.unfolded):
            return
        if on and row.item_count:
            self.unfolded[step] = 0
            self._make(step, min(row.item_count, _CHUNK))
        elif not on:
            self._unmake(step, 0)
            del self.unfolded[step]

    @property
    def made(self) -> int:
        """The number of rows and items that the model has created so far."""
        return len(self._places) + sum(self.unfolded.values())

    def growing(self) -> tuple[str, ...]:
        """Ids of the rows that have more loop items than are created so far."""
        rows = ((step, self._row(step)) for step in self.unfolded)
        return tuple(step for step, row in rows if row is not None and self.unfolded[step] < row.item_count)

    def grow(self, step: str) -> None:
        """Create more of a row's loop items."""
        row = self._row(step)
        if row is not None and step in self.unfolded:
            self._make(step, min(row.item_count, self.unfolded[step] + _CHUNK))

    def item_index(self, step: str, place: int) -> QModelIndex:
        """The index of a loop item, `place` counted from 0; invalid if it is not created."""
        return self.index(place + (step in self._open), 0, self.row_index(step))

    def last_made(self, step: str) -> QModelIndex:
        """The index of the last loop item of a row that is created."""
        return self.item_index(step, self.unfolded.get(step, 0) - 1)

    def _make(self, step: str, count: int) -> None:
        made, first = self.unfolded[step], step in self._open
        if count > made:
            self.beginInsertRows(self.row_index(step), made + first, count - 1 + first)
            self.unfolded[step] = count
            self.endInsertRows()

    def _unmake(self, step: str, count: int) -> None:
        made, first = self.unfolded[step], step in self._open
        if count < made:
            self.beginRemoveRows(self.row_index(step), count + first, made - 1 + first)
            self.unfolded[step] = count
            self.endRemoveRows()

    def _row(self, step: str) -> PlanRow | None:
        if step not in self._places:
            return None
        g, r = self._places[step]
        return self._table.groups[g].rows[r]

    # --- places

    def row_index(self, step: str, column: PlanColumn = PlanColumn.NUMBER) -> QModelIndex:
        """The index of a row's cell; invalid if the row is not shown."""
        if step not in self._places:
            return QModelIndex()
        g, r = self._places[step]
        return self.createIndex(r, column, g + 1)

    def story_index(self, step: str) -> QModelIndex:
        """The index of the detail row (story) below a row; invalid if it is not open."""
        return self.index(0, 0, self.row_index(step)) if step in self._open else QModelIndex()

    def item(self, index: PlanIndex) -> PlanRow | PlanGroup | PlanItem | None:
        """The row, group or loop item at an index; None for a detail row (story)."""
        g, r = self._place(index)
        if g is None:
            return self._table.groups[index.row()] if index.isValid() else None
        if r is None:
            return self._table.groups[g].rows[index.row()]
        row = self._table.groups[g].rows[r]
        place = index.row() - (row.id in self._open)
        return None if place < 0 else item_at(row, place)

    def row_at(self, index: PlanIndex) -> PlanRow | None:
        """The row at an index, or the row to which a detail row or loop item belongs; None for a group."""
        g, r = self._place(index)
        if g is None:
            return None
        return self._table.groups[g].rows[index.row() if r is None else r]

    def runs(self, index: PlanIndex) -> bool:
        """Whether the row or item at an index, or any row of the group there, is running."""
        item = self.item(index)
        mark = item.mark if isinstance(item, PlanGroup) else None if item is None else item.standing.mark
        return mark is RowMark.RUNNING

    @staticmethod
    def is_below(index: PlanIndex) -> bool:
        """Whether an index is a detail row or loop item below a row."""
        return index.isValid() and index.internalId() >> _SHIFT > 0

    @staticmethod
    def _place(index: PlanIndex) -> tuple[int | None, int | None]:
        """The group that a row is in, and for a story or item the row that it is under."""
        key = index.internalId() if index.isValid() else 0
        if key == 0:
            return None, None
        return (key & _LOW) - 1, (key >> _SHIFT) - 1 if key >> _SHIFT else None

    def index(self, row: int, column: int, parent: PlanIndex = _NO_INDEX) -> QModelIndex:
        """The index of a child by its place; fast, as Qt asks for every row of a long plan at once."""
        if row < 0 or not 0 <= column < _COLUMNS:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, 0) if row < len(self._table.groups) else QModelIndex()
        if parent.column() != 0:
            return QModelIndex()
        at, key = parent.row(), parent.internalId()
        if key == 0:
            there = row < len(self._table.groups[at].rows)
            return self.createIndex(row, column, at + 1) if there else QModelIndex()
        if key >> _SHIFT or row >= self._below(self._table.groups[key - 1].rows[at].id):
            return QModelIndex()
        return self.createIndex(row, column, (at + 1) << _SHIFT | key)

    def hasChildren(self, parent: PlanIndex = _NO_INDEX) -> bool:  # noqa: N802 - Qt's name
        """Whether there are children: always for a group, for a row only a detail row or shown loop items."""
        if not parent.isValid():
            return bool(self._table.groups)
        key = parent.internalId()
        if key == 0 or parent.column() != 0:
            return parent.column() == 0
        return not key >> _SHIFT and bool(self._open or self.unfolded) and self.rowCount(parent) > 0

    def _below(self, step: str) -> int:
        return (step in self._open) + self.unfolded.get(step, 0)

    def parent(self, index: PlanIndex = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        g, r = self._place(index)
        if g is None:
            return QModelIndex()
        return self.createIndex(g, 0, 0) if r is None else self.createIndex(r, 0, g + 1)

    def rowCount(self, parent: PlanIndex = _NO_INDEX) -> int:  # noqa: N802 - Qt's name
        if not parent.isValid():
            return len(self._table.groups)
        if parent.column() != 0:
            return 0
        g, r = self._place(parent)
        if g is None:
            return len(self._table.groups[parent.row()].rows)
        return self._below(self._table.groups[g].rows[parent.row()].id) if r is None else 0

    def columnCount(self, parent: PlanIndex = _NO_INDEX) -> int:  # noqa: N802, ARG002 - Qt's name
        return _COLUMNS

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole and section == PlanColumn.ACTIONS:
            return tr("Buttons")
        return title_of(PlanColumn(section)) if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: PlanIndex) -> Qt.ItemFlag:
        """Rows can be selected, and checked while the plan is under review."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if index.column() == PlanColumn.CHECK and not self._table.run and not self.is_below(index):
            return _CHECKED
        return _PLAIN

    def data(self, index: PlanIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.item(index) if index.isValid() else None
        if item is None:
            return None
        if role == ROW:
            return item
        return told(item, PlanColumn(index.column()), role)
