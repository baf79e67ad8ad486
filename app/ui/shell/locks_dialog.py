"""The list of a project's locks, in which each can be let go."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHBoxLayout, QListWidgetItem, QVBoxLayout, QWidget

from app.i18n import tr, trn
from app.ui.kit.icons import icon
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.buttons import FlatButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.row_list import RowList

if TYPE_CHECKING:
    # The song and its database are slow to import; the window is shown before them.
    from agent.song.locks import Lock
    from app.viewmodels.open_project import OpenProject

_WIDTH, _HEIGHT = 460, 420
_MARGIN, _GAP, _ROW = 16, 8, 24
_LOCK = Qt.ItemDataRole.UserRole


class LocksDialog(QDialog):
    """Lists the project's locks and follows their changes; `keep` is called with the remaining locks when some are
    removed."""

    def __init__(self, parent: QWidget, opened: OpenProject, keep: Callable[[tuple[Lock, ...]], object]) -> None:
        super().__init__(parent)
        self.setObjectName("locks")
        self.setWindowTitle(tr("Locks"))
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        room = self.screen().availableSize()
        self.resize(min(_WIDTH, room.width() - 2 * _MARGIN), min(_HEIGHT, room.height() - 4 * _MARGIN))
        self._opened, self._keep = opened, keep
        about = PlainLabel(tr("No step of a plan changes what is locked. You can still edit it by hand."), tone="t2")
        about.setWordWrap(True)
        self.list = RowList(tr("Locks"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.none = PlainLabel(tr("Nothing is locked. Lock a track, clips or bars in the Track menu."), tone="t3")
        self.none.setWordWrap(True)
        self.count = PlainLabel("", tone="t3")
        self.let_go = PlainButton(tr("Let go"), icon="lock-simple-open", tip=tr("Steps may change it again (Del)"))
        self.let_go.setAccessibleName(tr("Let go of the selected locks"))
        self.let_all_go = FlatButton(tr("Let all go"))
        self.let_all_go.setAccessibleName(tr("Let go of all locks"))
        self._lay_out(about)
        self.let_go.clicked.connect(self._let_chosen_go)
        self.let_all_go.clicked.connect(lambda: self._keep(()))
        self.list.itemSelectionChanged.connect(self._renew)
        self.list.installEventFilter(self)
        self._subscriptions = Subscriptions()
        for told in (opened.locks.changed, opened.workspace.changed):
            self._subscriptions.add(told.listen(lambda _: self.show_locks()))
        self.show_locks()

    def done(self, result: int) -> None:
        """End the subscription."""
        self._subscriptions.close()
        super().done(result)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Del in the list removes the chosen locks."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Delete:
            self._let_chosen_go()
            return True
        return super().eventFilter(watched, event)

    def show_locks(self) -> None:
        """Fill the list with the current locks."""
        from app.viewmodels.edits.locking import lock_lines

        row = max(0, self.list.currentRow())
        self.list.clear()
        for line in lock_lines(self._opened.locks.value, self._opened.workspace.song):
            item = QListWidgetItem(icon("lock-simple"), line.words, self.list)
            item.setData(_LOCK, line.lock)
        some = self.list.count() > 0
        self.list.setVisible(some)
        self.none.setVisible(not some)
        self.count.setText(trn("{count} lock", "{count} locks", self.list.count()) if some else "")
        if some:
            self.list.setCurrentRow(min(row, self.list.count() - 1))
        self._renew()

    def _lay_out(self, about: QWidget) -> None:
        close = FlatButton(tr("Close"), key="Esc")
        close.clicked.connect(self.accept)
        end = QHBoxLayout()
        end.addWidget(self.count, 1)
        for button in (self.let_all_go, self.let_go, close):
            end.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(about)
        column.addWidget(self.list, 1)
        column.addWidget(self.none, 1, Qt.AlignmentFlag.AlignTop)
        column.addLayout(end)

    def _let_chosen_go(self) -> None:
        gone = [item.data(_LOCK) for item in self.list.selectedItems()]
        if gone:
            self._keep(tuple(lock for lock in self._opened.locks.value if lock not in gone))

    def _renew(self) -> None:
        self.let_go.setEnabled(bool(self.list.selectedItems()))
        self.let_all_go.setEnabled(self.list.count() > 0)
