"""Find a command: type a few letters, and do it. Actions, tracks, projects and pages of the settings are found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app.i18n import tr
from app.ui.kit.icons import pixmap
from app.ui.kit.theme import Theme, font
from app.ui.kit.widgets.labels import plain_tip
from app.ui.shell.action_set import ActionSet
from app.ui.shell.actions import text_of
from app.ui.shell.finding import SearchEntry, found
from app.ui.shell.menus import title_of

Index = QModelIndex | QPersistentModelIndex
_WIDTH, _HEIGHT = 560, 420
_TOP, _LEAST = 60, 12
_MARGIN, _GAP = 8, 10
_ROW, _ICON = 26, 14
_SMALL = 11
_GROUP_WIDTH = 96
_MOST = 200
_STAYS = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Reasons of a lost focus at which the list stays open: another window or a menu has the keyboard for a moment."""
_ENTRY = Qt.ItemDataRole.UserRole


def action_entries(actions: ActionSet) -> tuple[SearchEntry, ...]:
    """One entry for each action, with its current label, keys and the reason if it is disabled."""
    made = []
    for action in actions.table:
        face = actions[action.id]
        said = face.text().replace("&&", "&") or text_of(action)
        made.append(SearchEntry(
            action.id, said, title_of(action.menu), partial(actions.run, action.id),
            actions.keys_of(action), action.need(actions.context), action.icon,
        ))
    return tuple(made)


class FindCommand(QFrame):
    """A list of entries with a search field: type to narrow, arrows to choose, Enter to run, Esc to close.

    `recent` are ids of entries, the one used last first."""

    def __init__(self, window: QWidget, theme: Theme, entries: Sequence[SearchEntry], recent: Sequence[str]) -> None:
        # Part of the window: screen readers are told of no windows that pop up.
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("card", "plain")
        self._before = QApplication.focusWidget()
        self.setObjectName("find-command")
        self.setAccessibleName(tr("Find a command"))
        self._entries, self._recent = tuple(entries), tuple(recent)
        self._shown: tuple[SearchEntry, ...] = ()
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Find a command, a track, a project or a setting"))
        self.field.setAccessibleName(tr("Find a command"))
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Commands"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_Rows(theme, self.list))
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self.narrow)
        self.field.returnPressed.connect(self.take)
        self.list.itemClicked.connect(lambda _: self.take())
        self.resize(min(_WIDTH, window.width() - 2 * _LEAST), min(_HEIGHT, window.height() - _TOP - _LEAST))
        self.move((window.width() - self.width()) // 2, _TOP)
        self.narrow("")

    def open(self) -> None:
        """Show the list and give the search field the keyboard."""
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def add(self, entries: Sequence[SearchEntry]) -> None:
        """Add entries that could not be made at once, such as projects read from disk."""
        self._entries += tuple(entries)
        if self.field.text():
            self.narrow(self.field.text())

    def narrow(self, words: str) -> None:
        """List the entries that match these words; those that are disabled show why."""
        self._shown = found(self._entries, words, self._recent)[:_MOST]
        self.list.clear()
        for entry in self._shown:
            item = QListWidgetItem(entry.words)
            item.setData(_ENTRY, entry)
            said = (entry.group, entry.words, entry.keys, entry.reason)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, said)))
            item.setToolTip(plain_tip(entry.reason or entry.words))
            if entry.reason:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            self.list.addItem(item)
        self._step(1, -1)

    def take(self) -> None:
        """Close the list and run the chosen entry, so that it finds the keyboard focus where it was before; does
        nothing if none is chosen or it is disabled."""
        row = self.list.currentRow()
        if not 0 <= row < len(self._shown) or self._shown[row].reason:
            return
        act: Callable[[], object] = self._shown[row].act
        self.leave()
        act()

    def leave(self) -> None:
        """Close the list and give the keyboard back to the widget that had it."""
        before, self._before = self._before, None
        self.field.removeEventFilter(self)
        self.close()
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Arrow keys move in the list; Esc and a lost keyboard focus close it."""
        kind = event.type()
        if kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) and isinstance(event, QKeyEvent) \
                and event.key() == Qt.Key.Key_Escape:
            # Esc belongs to the list, and to no action of the window.
            event.accept()
            if kind is QEvent.Type.KeyPress:
                self.leave()
            return True
        if kind is QEvent.Type.FocusOut and isinstance(event, QFocusEvent) and event.reason() not in _STAYS:
            self._before = None
            self.leave()
            return False
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                self._step(step, self.list.currentRow())
                return True
        return super().eventFilter(watched, event)

    def _step(self, step: int, row: int) -> None:
        row += step
        while 0 <= row < self.list.count():
            if self.list.item(row).flags() & Qt.ItemFlag.ItemIsEnabled:
                self.list.setCurrentRow(row)
                return
            row += step


class _Rows(QStyledItemDelegate):
    """Icon, words, where they come from, and on the right the key or why it is not possible."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802, ARG002
        return QSize(0, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        entry: SearchEntry = index.data(_ENTRY)
        tokens, box = self._theme.tokens, option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(tokens.you_soft))
        ratio = painter.device().devicePixelRatioF()
        drawn = pixmap(entry.icon or "caret-right", tokens.t3, _ICON, ratio)
        painter.drawPixmap(box.left() + _GAP, box.center().y() - _ICON // 2 + 1, drawn)
        left, right = box.left() + 2 * _GAP + _ICON, box.right() - _GAP
        right = self._side(painter, entry, left, QRect(left, box.top(), right - left, box.height()))
        painter.setFont(font(_SMALL))
        painter.setPen(QColor(tokens.t3))
        group = QRect(right - _GROUP_WIDTH, box.top(), _GROUP_WIDTH, box.height())
        _line(painter, group, entry.group, Qt.AlignmentFlag.AlignRight)
        painter.setFont(font(12))
        painter.setPen(QColor(tokens.t3 if entry.reason else tokens.t1))
        _line(painter, QRect(left, box.top(), group.left() - left - _GAP, box.height()), entry.words)
        painter.restore()

    def _side(self, painter: QPainter, entry: SearchEntry, left: int, box: QRect) -> int:
        """Key or reason at the right; returns where the rest ends."""
        said = entry.reason or entry.keys
        if not said:
            return box.right()
        painter.setFont(font(_SMALL))
        painter.setPen(self._theme.color("t3" if entry.reason else "t2"))
        wide = min(painter.fontMetrics().horizontalAdvance(said) + 2, (box.right() - left) // 3)
        _line(painter, QRect(box.right() - wide, box.top(), wide, box.height()), said, Qt.AlignmentFlag.AlignRight)
        return box.right() - wide - _GAP


def _line(
    painter: QPainter, box: QRect, text: str, side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
) -> None:
    said = " ".join(text[:_MOST].split())
    cut = painter.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, cut)
