"""The list of all projects with a search field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QListWidgetItem, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.widgets.buttons import FlatButton, MainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.row_list import RowList

if TYPE_CHECKING:
    from app.storage.records import Project

_WIDTH, _HEIGHT = 460, 420
_MARGIN, _GAP = 16, 8


class ProjectDialog(QDialog):
    """Lists all projects, newest first; signal `wanted` carries the id of the chosen one."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget, projects: Sequence[Project]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open project"))
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(_WIDTH, _HEIGHT)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search projects"))
        self.search.setAccessibleName(tr("Search projects"))
        self.search.installEventFilter(self)
        self.list = RowList(tr("Projects"))
        for project in reversed(projects):
            item = QListWidgetItem(project.name)
            item.setData(Qt.ItemDataRole.UserRole, project.id)
            item.setToolTip(tr("Begun {day}", day=project.created[:10]) if project.created else "")
            self.list.addItem(item)
        self.none = PlainLabel("", tone="t3")
        self.open_button = MainButton(tr("Open project"))
        self.open_button.setDefault(True)
        cancel = FlatButton(tr("Cancel"))
        end = QHBoxLayout()
        end.addWidget(self.none, 1)
        end.addWidget(cancel)
        end.addWidget(self.open_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addLayout(end)
        cancel.clicked.connect(self.reject)
        self.open_button.clicked.connect(self._take)
        self.list.itemActivated.connect(lambda _: self._take())
        self.search.textChanged.connect(self.narrow)
        self.narrow("")

    def narrow(self, words: str) -> None:
        """Show the projects whose names hold all the words."""
        parts = words.casefold().split()
        shown: list[QListWidgetItem] = []
        for row in range(self.list.count()):
            item = self.list.item(row)
            fits = all(part in item.text().casefold() for part in parts)
            item.setHidden(not fits)
            shown += [item] if fits else []
        self.list.setCurrentItem(shown[0] if shown else None)  # type: ignore[arg-type]
        self.open_button.setEnabled(bool(shown))
        self.none.setText("" if shown else tr("No project fits") if self.list.count() else tr("No projects yet"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Up and down move in the list while the search field has the keyboard."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                self._move(step)
                return True
        return super().eventFilter(watched, event)

    def _move(self, step: int) -> None:
        row = self.list.currentRow() + step
        while 0 <= row < self.list.count():
            if not self.list.item(row).isHidden():
                self.list.setCurrentRow(row)
                return
            row += step

    def _take(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.wanted.emit(item.data(Qt.ItemDataRole.UserRole))
            self.accept()
