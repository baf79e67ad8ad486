"""What the plan panel shows below its strips: that there is no plan, the table with its lines, or a draft."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from agent.plan.plan import Step
from agent.song.palette import Palette
from app.i18n import tr, trn
from app.ui.plan.columns import NO_TOOL, TOOL_WIDTH, fix_header, lines_tip, set_up_tree
from app.ui.plan.delegate import ROW_HEIGHT
from app.ui.plan.drawings import LEFT, PAD, RIGHT, SIGNS, Brush, Look, tool_icon
from app.ui.plan.footer import Footer
from app.ui.plan.top_bar import TOP_HEIGHT, PlanTopBar
from app.ui.plan.view import PlanTableView
from app.ui.plan.widgets import PlanLabel, ProgressCells
from app.viewmodels.plan.row_states import RowMark
from app.viewmodels.plan.sentences import step_sentence

_INDEX = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_NEAR_END = 4
_STEP_ROLE = Qt.ItemDataRole.UserRole + 1


class _Column(IntEnum):
    NUMBER = 0
    STEP = 1
    GROUP = 2
    STATE = 3


_WIDTHS = {_Column.NUMBER: 36, _Column.GROUP: 128, _Column.STATE: 150}


class DraftModel(QAbstractTableModel):
    """The rows of a plan that is still being written. New rows are appended to those shown, so that a long plan is not
    rebuilt with each row."""

    def __init__(self, palette: Palette, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._palette = palette
        self._steps: tuple[Step, ...] = ()
        self._sentences: list[str] = []

    def show(self, steps: tuple[Step, ...]) -> None:
        """Show these rows."""
        before = len(self._steps)
        follows = before <= len(steps) and (not before or steps[before - 1] is self._steps[-1])
        if follows and before == len(steps):
            return
        if follows and before:
            self.beginInsertRows(QModelIndex(), before, len(steps) - 1)
            self._take(steps)
            self.endInsertRows()
            return
        self.beginResetModel()
        self._sentences.clear()
        self._take(steps)
        self.endResetModel()

    def _take(self, steps: tuple[Step, ...]) -> None:
        self._sentences += [
            " ".join((step.title or step_sentence(step, None, self._palette)).split())
            for step in steps[len(self._sentences):]
        ]
        self._steps = steps

    def rowCount(self, parent: _INDEX = _NO_INDEX) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._steps)

    def columnCount(self, parent: _INDEX = _NO_INDEX) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(_Column)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        titled = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return ("#", tr("Step"), tr("Group"), tr("State"))[section] if titled else None

    def data(self, index: _INDEX, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._steps):
            return None
        step, sentence, number = self._steps[index.row()], self._sentences[index.row()], index.row() + 1
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (str(number), sentence, step.group or tr("Steps"), tr("Being written"))[index.column()]
            case Qt.ItemDataRole.ToolTipRole:
                said = tr("Step {number}. {sentence}", number=number, sentence=sentence)
                return lines_tip([said, step.why] if step.why else [said])
            case Qt.ItemDataRole.AccessibleTextRole:
                return tr("Step {number}, {sentence}, being written", number=number, sentence=sentence)
        return step if role == _STEP_ROLE else None


class DraftTable(QWidget):
    """The page while a plan is being written: "Planning… 5 steps so far" and these steps, dimmed. It scrolls to new
    rows unless the person scrolled up."""

    def __init__(self, look: Look, palette: Palette) -> None:
        super().__init__()
        self.setAccessibleName(tr("Plan that is being written"))
        self.model = DraftModel(palette, self)
        self.words = PlanLabel(look, "", "t2")
        self.words.setFixedHeight(TOP_HEIGHT)
        self.words.setContentsMargins(12, 0, 12, 0)
        self.view = view = QTreeView()
        view.setAllColumnsShowFocus(True)
        view.setModel(self.model)
        view.setItemDelegate(_DraftCells(look, view))
        view.setUniformRowHeights(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        set_up_tree(view, "plan-draft", self.accessibleName())
        fix_header(view, _WIDTHS, _Column.STEP)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.words)
        column.addWidget(view, 1)

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        """Show the rows so far."""
        bar = self.view.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - _NEAR_END
        self.model.show(steps)
        self.words.setText(trn("Planning… {count} step so far", "Planning… {count} steps so far", len(steps)))
        if at_end:
            self.view.scrollToBottom()


class _DraftCells(QStyledItemDelegate):
    """Paints rows as the plan does, all in the lowest tone of text."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: _INDEX) -> QSize:  # noqa: N802, ARG002 - Qt's name
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _INDEX) -> None:
        area, brush, step = QRect(option.rect), Brush(painter, self._look), index.data(_STEP_ROLE)
        painter.save()
        painter.setClipRect(area)
        brush.ground(area, "canvas")
        left = area.x() + PAD
        if index.column() == _Column.STATE:
            left = brush.sign(area, *SIGNS[RowMark.PROPOSED])
        elif index.column() == _Column.STEP and isinstance(step, Step):
            left = brush.sign(area, tool_icon(step.tool), "t3")
            if option.widget.width() >= NO_TOOL:
                tool = QRect(left, area.y(), TOOL_WIDTH - PAD, area.height())
                brush.text(tool, step.tool, "t3", mono=True)
                left += TOOL_WIDTH
        room = QRect(left, area.y(), area.right() - left - PAD, area.height())
        brush.text(room, str(index.data()), "t3", RIGHT if index.column() == _Column.NUMBER else LEFT)
        painter.restore()


EMPTY, TABLE, DRAFT = 0, 1, 2


class PlanPages(QStackedWidget):
    """The three pages of the plan panel: the table, a plan being written, and no plan. The widgets of the table's page
    are public."""

    def __init__(self, look: Look, view: PlanTableView, draft: DraftTable) -> None:
        super().__init__()
        self.view = view
        self.draft = draft
        self.top = PlanTopBar(look)
        self.details = PlanLabel(look, tone="t2", wrap=True)
        self.cells = ProgressCells(look)
        self.footer = Footer(look)
        self.limits = PlanLabel(look, tone="you", wrap=True)
        """Shows what alone the plan may change: "Only Bass, bars 9–12 may change"."""
        self.limits.setContentsMargins(12, 4, 12, 4)
        self.limits.hide()
        self.details.hide()
        self.details.setContentsMargins(12, 6, 12, 8)
        self.top.details.connect(self.details.setVisible)
        for page in (_empty(look), self._table(), draft):
            self.addWidget(page)

    def _table(self) -> QWidget:
        table = QWidget()
        column = QVBoxLayout(table)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.top, self.limits, self.details, self.cells):
            column.addWidget(widget)
        column.addWidget(self.view, 1)
        column.addWidget(self.footer)
        return table


def _empty(look: Look) -> QWidget:
    empty = QWidget()
    column = QVBoxLayout(empty)
    words = PlanLabel(look, tr("No plan yet. Write a request in the chat."), "t3")
    column.addStretch()
    column.addWidget(words)
    column.setAlignment(words, words.alignment().AlignHCenter)
    column.addStretch()
    return empty
