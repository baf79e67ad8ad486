"""A table in the chat, as high as its rows: right-aligned numbers, painted bars, a sign before what failed."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app.i18n import tr
from app.ui.chat.report_model import BAR, FAILED, ReportModel
from app.ui.kit.icons import pixmap
from app.ui.kit.theme import Theme, font
from app.viewmodels.chat.report_tables import ReportTable

_ROW = 22
_PAD = 6
_SIGN = 12
_BAR_ROOM = 72
_BAR_HIGH = 8
_NARROWEST, _WIDEST = 36, 240
_TEXT = 12
_MEASURED = 100
"""Rows whose texts decide the widths of columns."""
_INDEX = QModelIndex | QPersistentModelIndex


class ReportCells(QStyledItemDelegate):
    """Paints cells in the current theme."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = font(_TEXT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _INDEX) -> None:
        """Paint the text or the bar of a cell."""
        area, failed = QRect(option.rect), bool(index.data(FAILED))
        painter.save()
        painter.setClipRect(area)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(area, self._theme.color("you_soft" if chosen else "bad_soft" if failed else "canvas"))
        painter.fillRect(QRect(area.x(), area.bottom(), area.width(), 1), self._theme.color("line"))
        inner = area.adjusted(_PAD, 0, -_PAD, 0)
        share = index.data(BAR)
        if share is not None:
            self._bar(painter, inner, share)
        else:
            if failed and index.column() == 0:
                sign = pixmap("x-circle-fill", self._theme.color("bad"), _SIGN, painter.device().devicePixelRatioF())
                painter.drawPixmap(inner.x(), inner.center().y() - _SIGN // 2, sign)
                inner.setLeft(inner.left() + _SIGN + _PAD)
            self._words(painter, inner, index, failed)
        painter.restore()

    def _words(self, painter: QPainter, area: QRect, index: _INDEX, failed: bool) -> None:
        painter.setFont(self._font)
        painter.setPen(self._theme.color("bad" if failed else "t1"))
        text = painter.fontMetrics().elidedText(
            str(index.data() or ""), Qt.TextElideMode.ElideRight, area.width()
        )
        align = index.data(Qt.ItemDataRole.TextAlignmentRole) or Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, align | Qt.TextFlag.TextSingleLine, text)

    def _bar(self, painter: QPainter, area: QRect, share: float) -> None:
        bar = QRect(area.x(), area.center().y() - _BAR_HIGH // 2, area.width(), _BAR_HIGH)
        painter.fillRect(bar, self._theme.color("ctl"))
        bar.setWidth(max(1, round(bar.width() * share)))
        painter.fillRect(bar, self._theme.color("meter"))


class ReportTableView(QTableView):
    """A table as high as its rows; it scrolls only sideways, and leaves vertical scrolling to the chat."""

    def __init__(self, table: ReportTable, theme: Theme) -> None:
        super().__init__()
        self._table = ReportModel(table, self)
        self.setModel(self._table)
        self.setItemDelegate(ReportCells(theme, self))
        self._set_up(table)
        theme.changed.connect(self.viewport().update)
        self._wanted = [self._measure(column) for column in range(self._table.columnCount())]
        self._fit()

    @property
    def hidden_rows(self) -> int:
        """Number of rows that are not shown."""
        return self._table.hidden

    def show_all(self) -> None:
        """Show every row."""
        self._table.show_all()
        self._fit()

    def show_first(self) -> None:
        """Show only the first rows again."""
        self._table.show_first()
        self._fit()

    def copy(self) -> None:
        """Copy the selected rows as text, columns separated by tabs."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        if rows:
            lines = ["\t".join(self._table.table.cells[row]) for row in rows]
            QGuiApplication.clipboard().setText("\n".join(lines))

    def _set_up(self, table: ReportTable) -> None:
        self.setAccessibleName(tr("Table: {title}", title=table.title))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(_ROW)
        rows.setDefaultSectionSize(_ROW)
        columns.setFixedHeight(_ROW)
        columns.setHighlightSections(False)
        columns.setSectionsClickable(False)
        columns.setMinimumSectionSize(_NARROWEST)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def _measure(self, column: int) -> int:
        if self._table.is_bar(column):
            return _BAR_ROOM
        table, metrics = self._table.table, QFontMetrics(font(_TEXT))
        column = self._table.cell(column)
        words = [table.columns[column], *(row[column] for row in table.cells[:_MEASURED])]
        sign = _SIGN + _PAD if column == 0 and table.failed else 0
        widest = max(metrics.horizontalAdvance(text) for text in words)
        return min(_WIDEST, max(_NARROWEST, widest + 2 * _PAD + 4 + sign))

    def _fit(self) -> None:
        """Columns as wide as their words; what is left goes to the first one."""
        room = self.viewport().width()
        spare = max(0, room - sum(self._wanted))
        for column, width in enumerate(self._wanted):
            self.setColumnWidth(column, width + (spare if column == 0 else 0))
        wide = sum(self._wanted) > room
        bar = self.horizontalScrollBar().sizeHint().height() if wide else 0
        height = _ROW * (self._table.rowCount() + 1) + bar
        if height != self.height():
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Takes whatever width there is; as high as the rows."""
        return QSize(1, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As `sizeHint`."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Distribute the width among the columns."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll sideways; leave vertical scrolling to the chat."""
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Ctrl+C copies the selected rows; letters are left to the window."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.text().isprintable() and event.text() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)
