"""A table of plain words over as many rows as there are: one row can be chosen, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.widgets.labels import plain_tip

Index = QModelIndex | QPersistentModelIndex
_ICON, _ROW, _HEADER = 14, 24, 24
_LONGEST = 300
_PADDING = 6
_PANEL = QStyle.PrimitiveElement.PE_PanelItemViewItem
_ROOT = QModelIndex()


@dataclass(frozen=True)
class Row:
    """One row. `sign` is the icon in the column of signs, in the colour of token `tone`; `tip` is the tooltip."""

    id: str
    cells: tuple[str, ...]
    sign: str = ""
    tone: str = "t3"
    tip: str = ""


class RowsModel(QAbstractTableModel):
    """A table of plain texts, each shown on one line; `sign_at` is the column of signs."""

    def __init__(self, headings: Sequence[str], sign_at: int, parent: QObject) -> None:
        super().__init__(parent)
        self._headings = tuple(headings)
        self._sign_at = sign_at
        self.rows: tuple[Row, ...] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows; with the same ids as before they are only repainted."""
        same = [row.id for row in rows] == [row.id for row in self.rows]
        if not same:
            self.beginResetModel()
        self.rows = tuple(rows)
        if not same:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self._headings) - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """Number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """Number of columns."""
        return 0 if parent.isValid() else len(self._headings)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, icon, tooltip, and for screen readers the text with its heading."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row, column = self.rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _line(row.cells[column])
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self._headings[column]}: {_line(row.cells[column]) or tr('nothing')}"
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(row.tip or row.cells[column])
            case Qt.ItemDataRole.DecorationRole if row.sign and column == self._sign_at:
                return icon(row.sign, row.tone, _ICON)
            case Qt.ItemDataRole.SizeHintRole:
                return QSize(0, _ROW)
        return None

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows can be selected."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


class RowTable(QTreeView):
    """A table in which one row can be chosen. `headings` and `widths` (pixels) are those of its columns; column `wide`
    takes the free width, column `sign_at` shows the icons, and it is `lines` rows high. Signal `chosen` carries the
    chosen row's id, empty for none. Tab leaves the table."""

    chosen = Signal(str)

    def __init__(
        self, kit: Kit, name: str, headings: Sequence[str], widths: Sequence[int], *, wide: int = 0, sign_at: int = 0,
        lines: int = 5, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.model_ = RowsModel(headings, sign_at, self)
        self.setModel(self.model_)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(elide)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setIconSize(QSize(_ICON, _ICON))
        self._lines = lines
        self._hug(0)
        self.setItemDelegate(_Cells(self))
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setFixedHeight(_HEADER)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for at, width in enumerate(widths):
            header.resizeSection(at, width)
        header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
        self._id = ""
        self.selectionModel().selectionChanged.connect(lambda *_: self._choose())
        self._quiet = False
        kit.theme.changed.connect(self.viewport().update)

    @property
    def id(self) -> str:
        """The id of the chosen row; empty for none."""
        return self._id

    @property
    def row(self) -> Row | None:
        """The chosen row; None for none."""
        return next((row for row in self.model_.rows if row.id == self._id), None)

    def show_rows(self, rows: Sequence[Row], wanted: str = "") -> None:
        """Show these rows; `wanted` is chosen, else the row chosen before, else the first."""
        wanted = wanted or self._id
        self._quiet = True
        self._hug(len(rows))
        self.model_.show_rows(rows)
        at = next((at for at, row in enumerate(rows) if row.id == wanted), 0)
        if rows:
            self.setCurrentIndex(self.model_.index(at, 0))
        self._quiet = False
        self._choose(always=True)

    def choose(self, wanted: str) -> None:
        """Choose a row by its id; an unknown one changes nothing."""
        for at, row in enumerate(self.model_.rows):
            if row.id == wanted:
                self.setCurrentIndex(self.model_.index(at, 0))

    def _hug(self, rows: int) -> None:
        """As high as the rows need, within what the page has room for."""
        self.setFixedHeight(_HEADER + min(max(rows, 1), self._lines) * _ROW + 2)

    def _choose(self, *, always: bool = False) -> None:
        if self._quiet:
            return
        index = self.currentIndex()
        now = self.model_.rows[index.row()].id if index.isValid() and self.model_.rows else ""
        if now != self._id or always:
            self._id = now
            self.chosen.emit(now)


class _Cells(QStyledItemDelegate):
    """Sets words as far from the edge as the headings are."""

    def __init__(self, table: QTreeView) -> None:
        super().__init__(table)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The background over the whole cell, the rest a little to the right."""
        if index.column() == 0:
            whole = QStyleOptionViewItem(option)
            self.initStyleOption(whole, index)
            self._table.style().drawPrimitive(_PANEL, whole, painter, self._table)
            option.rect.adjust(_PADDING, 0, 0, 0)
        super().paint(painter, option, index)


def _line(text: str) -> str:
    return " ".join(text[:_LONGEST].split())
