"""Find a command: a small list over the table of actions."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.ui.kit.icons import icon
from app.ui.shell.action_set import ActionSet, keys_of
from app.ui.shell.actions import Action

_WIDTH, _HEIGHT = 440, 380
_TOP = 60
_MARGIN = 8


def fitting(table: tuple[Action, ...], words: str) -> tuple[Action, ...]:
    """Actions whose menu and text hold all the words; those that begin with them first."""
    parts = words.casefold().split()
    found = [one for one in table if all(part in f"{one.menu} {one.text}".casefold() for part in parts)]
    start = " ".join(parts)
    return tuple(sorted(found, key=lambda one: not one.text.casefold().startswith(start)))


class FindCommand(QFrame):
    """Type to narrow, arrows to choose, Enter to do, Esc to leave."""

    def __init__(self, window: QWidget, actions: ActionSet) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Find a command")
        self._actions = actions
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find a command")
        self.field.setAccessibleName("Find a command")
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Commands")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self.narrow)
        self.field.returnPressed.connect(self.take)
        self.list.itemClicked.connect(lambda _: self.take())
        self.resize(_WIDTH, _HEIGHT)
        self.move(window.mapToGlobal(QPoint((window.width() - _WIDTH) // 2, _TOP)))
        self.narrow("")

    def open(self) -> None:
        """Show it, ready to type."""
        self.show()
        self.field.setFocus()

    def narrow(self, words: str) -> None:
        """List what fits; what is not possible now says why."""
        self.list.clear()
        for action in fitting(self._actions.table, words):
            made, keys = self._actions[action.id], keys_of(action)
            text = made.text().replace("&&", "&")
            item = QListWidgetItem(f"{action.menu}: {text}" + (f"    {keys}" if keys else ""))
            item.setIcon(icon(action.icon or "caret-right", "t3"))
            item.setData(Qt.ItemDataRole.UserRole, action.id)
            item.setToolTip(made.toolTip())
            if not made.isEnabled():
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            self.list.addItem(item)
        self._step(1, -1)

    def take(self) -> None:
        """Do what is chosen, after the list is gone, so that the keyboard is where it was."""
        item = self.list.currentItem()
        if item is None or not item.flags() & Qt.ItemFlag.ItemIsEnabled:
            return
        name = item.data(Qt.ItemDataRole.UserRole)
        self.close()
        self._actions.run(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Arrows move in the list."""
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
