"""The steps of undo and redo as a list: choose one to go as far as that in one go."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidgetItem, QVBoxLayout, QWidget

from app.i18n import tr, trn
from app.ui.kit.icons import icon
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import FlatButton, MainButton
from app.ui.kit.widgets.labels import PlainLabel, plain_tip
from app.ui.kit.widgets.row_list import RowList

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.storage.records import Iteration
    from app.studio.undo import Trail, Walk
    from app.ui.kit.context import Kit

MOST = 100
"""Steps that are listed in each direction."""
_WIDTH, _HEIGHT = 460, 460
_MARGIN, _GAP = 16, 8
_ICON = 14
_LONGEST = 200


class UndoList(QDialog):
    """Lists versions: those that redo leads to above the current one, those that undo leads to below it. `go` is called
    with the direction ("undo" or "redo") and the chosen version."""

    def __init__(self, parent: QWidget, kit: Kit, trail: Trail, go: Callable[[Walk, Iteration], object]) -> None:
        super().__init__(parent)
        self.setObjectName("undo-list")
        self.setWindowTitle(tr("Undo history"))
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(_WIDTH, _HEIGHT)
        self._theme, self._go = kit.theme, go
        self._rows = (*trail.redo[::-1], *(() if trail.now is None else (trail.now,)), *trail.undo)
        self._now = len(trail.redo)
        self.list = RowList(tr("Steps, the newest first"))
        for at, one in enumerate(self._rows):
            self.list.addItem(self._item(at, one))
        self.said = PlainLabel("", tone="t2")
        self.go = MainButton(tr("Go there"))
        self.go.setDefault(True)
        leave = FlatButton(tr("Cancel"), key="Esc")
        end = QHBoxLayout()
        end.addWidget(self.said, 1)
        end.addWidget(leave)
        end.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(self.list, 1)
        column.addLayout(end)
        leave.clicked.connect(self.reject)
        self.go.clicked.connect(self.take)
        self.list.itemActivated.connect(lambda _: self.take())
        self.list.currentRowChanged.connect(self._chosen)
        self.list.setCurrentRow(min(self._now + 1, len(self._rows) - 1))
        self.list.setFocus()

    def take(self) -> None:
        """Go to the chosen version and close."""
        row = self.list.currentRow()
        if row not in (-1, self._now):
            self._go("undo" if row > self._now else "redo", self._rows[row])
            self.accept()

    def _item(self, at: int, one: Iteration) -> QListWidgetItem:
        from app.viewmodels.texts.moments import clock_time

        label = " ".join(one.label[:_LONGEST].split()) or tr("last change")
        words = tr("Now: {what}", what=label) if at == self._now else label
        sign = "caret-right" if at == self._now else "arrow-clockwise" if at < self._now else "arrow-counter-clockwise"
        item = QListWidgetItem(icon(sign, "you" if at == self._now else "t3", _ICON), words)
        item.setToolTip(plain_tip(f"{label}\n#{one.number}, {clock_time(one.created)}"))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{words}, {self._far(at)}")
        if at == self._now:
            item.setFont(font(12, 600))
        elif at < self._now:
            # What was taken back is not in the song now.
            item.setForeground(QColor(self._theme.tokens.t3))
        return item

    def _chosen(self, row: int) -> None:
        self.said.setText(self._far(row))
        self.go.setEnabled(row not in (-1, self._now))

    def _far(self, row: int) -> str:
        far = row - self._now
        if row < 0 or not far:
            return tr("The song is here")
        if far > 0:
            return trn("Takes {count} change back", "Takes {count} changes back", far)
        return trn("Brings {count} change back", "Brings {count} changes back", -far)
