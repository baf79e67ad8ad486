"""The rows of a plan while it is being written: to be read, not yet to be decided on."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from agent.plan.plan import Step
from agent.song.palette import Palette
from app.desktop.plan.row_states import Mark
from app.desktop.plan.sentences import step_sentence
from app.ui.plan.cell_texts import plain_tip
from app.ui.plan.columns import fix_header
from app.ui.plan.delegate import ROW_HEIGHT
from app.ui.plan.drawings import SIGNS, tool_icon
from app.ui.plan.look import Look
from app.ui.plan.top_bar import TOP_HEIGHT
from app.ui.plan.widgets import Words
from app.words import tr, trn

_INDEX = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_PAD, _ICON = 8, 14
_TOOL_WIDTH = 124
_NARROW = 760
_NEAR_END = 4
_STEP_ROLE = Qt.ItemDataRole.UserRole + 1


class _Column(IntEnum):
    NUMBER = 0
    STEP = 1
    GROUP = 2
    STATE = 3


_WIDTHS = {_Column.NUMBER: 36, _Column.GROUP: 128, _Column.STATE: 150}


class DraftModel(QAbstractTableModel):
    """Rows so far. Rows that follow those that are shown are added, so that a long plan costs no more than its rows."""

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
        """The rows so far."""
        return 0 if parent.isValid() else len(self._steps)

    def columnCount(self, parent: _INDEX = _NO_INDEX) -> int:  # noqa: N802 - Qt's name
        """Always the same."""
        return 0 if parent.isValid() else len(_Column)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The columns' titles."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return ("#", tr("Step"), tr("Group"), tr("State"))[section]

    def data(self, index: _INDEX, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Words of a cell, its tooltip and what a screen reader says."""
        if not index.isValid() or index.row() >= len(self._steps):
            return None
        step, sentence = self._steps[index.row()], self._sentences[index.row()]
        if role == _STEP_ROLE:
            return step
        if role == Qt.ItemDataRole.DisplayRole:
            return (str(index.row() + 1), sentence, step.group or tr("Steps"), tr("Being written"))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip([
                tr("Step {number}. {sentence}", number=index.row() + 1, sentence=sentence), *filter(None, [step.why]),
            ])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("Step {number}, {sentence}, being written", number=index.row() + 1, sentence=sentence)
        return None


class DraftTable(QWidget):
    """ "Planning… 5 steps so far", and these steps, dimmed. It follows its end unless a person scrolled up."""

    def __init__(self, look: Look, palette: Palette) -> None:
        super().__init__()
        self.setAccessibleName(tr("Plan that is being written"))
        self.model = DraftModel(palette, self)
        self.words = Words(look, "", "t2")
        self.words.setFixedHeight(TOP_HEIGHT)
        self.words.setContentsMargins(12, 0, 12, 0)
        self.view = QTreeView()
        self.view.setAllColumnsShowFocus(True)
        self._set_up(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.words)
        column.addWidget(self.view, 1)

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        """Show the rows so far."""
        bar = self.view.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - _NEAR_END
        self.model.show(steps)
        self.words.setText(trn("Planning… {count} step so far", "Planning… {count} steps so far", len(steps)))
        if at_end:
            self.view.scrollToBottom()

    def _set_up(self, look: Look) -> None:
        view = self.view
        view.setObjectName("plan-draft")
        view.setAccessibleName(tr("Plan that is being written"))
        view.setModel(self.model)
        view.setItemDelegate(_DraftCells(look, view))
        view.setRootIsDecorated(False)
        view.setIndentation(0)
        view.setUniformRowHeights(True)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setTabKeyNavigation(False)
        view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        fix_header(view, _WIDTHS, _Column.STEP)


class _DraftCells(QStyledItemDelegate):
    """Paints rows as the plan does, all in the lowest tone of text."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: _INDEX) -> QSize:  # noqa: N802, ARG002 - Qt's name
        """As high as rows of the plan."""
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _INDEX) -> None:
        """One cell."""
        area, look = QRect(option.rect), self._look
        painter.save()
        painter.setClipRect(area)
        painter.fillRect(area, look.color("canvas"))
        painter.fillRect(QRect(area.x(), area.bottom(), area.width(), 1), look.color("line"))
        text, step = str(index.data()), index.data(_STEP_ROLE)
        left, align = area.x() + _PAD, Qt.AlignmentFlag.AlignLeft
        if index.column() == _Column.NUMBER:
            align = Qt.AlignmentFlag.AlignRight
        elif index.column() == _Column.STATE:
            left = self._sign(painter, area, *SIGNS[Mark.PROPOSED])
        elif index.column() == _Column.STEP and isinstance(step, Step):
            left = self._sign(painter, area, tool_icon(step.tool), "t3")
            if option.widget.width() >= _NARROW:
                self._text(painter, QRect(left, area.y(), _TOOL_WIDTH - _PAD, area.height()), step.tool, mono=True)
                left += _TOOL_WIDTH
        room = QRect(left, area.y(), area.right() - left - _PAD, area.height())
        self._text(painter, room, text, align)
        painter.restore()

    def _sign(self, painter: QPainter, area: QRect, name: str, token: str) -> int:
        """Paint a sign; where the words behind it begin."""
        place = QRect(area.x() + _PAD, area.center().y() - _ICON // 2, _ICON, _ICON)
        self._look.paint_icon(painter, place, name, token)
        return place.right() + _PAD

    def _text(
        self, painter: QPainter, room: QRect, text: str, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft, *,
        mono: bool = False,
    ) -> None:
        painter.setFont(self._look.font(mono=mono))
        painter.setPen(self._look.color("t3"))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, align | Qt.AlignmentFlag.AlignVCenter, shown)
