"""All keys by menu: found, changed by pressing another one, taken over from another action, and reset."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.i18n import tr
from app.ui.kit.key_text import key_text
from app.ui.kit.widgets.buttons import FlatButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.shell.actions import Action, text_of
from app.ui.shell.keymap import Keymap, pressed
from app.ui.shell.menus import Menu, title_of

_WIDTH, _HEIGHT = 600, 640
_MARGIN, _GAP = 16, 8
_ROW = 24
_ACTION = Qt.ItemDataRole.UserRole


def elsewhere() -> tuple[tuple[str, str], ...]:
    """Keys that work in one widget only and cannot be changed, as pairs: the keys, and what they do there."""
    return (
        (tr("Enter in the request box"), tr("Send")),
        (tr("Shift+Enter in the request box"), tr("New line")),
        (tr("Arrows on the timeline"), tr("Move the selection")),
        (tr("Ctrl+wheel on the timeline"), tr("Zoom")),
        (tr("Ctrl+arrows on the ruler"), tr("Move a section, tempo or time signature")),
        (tr("Space on ✓ in the plan"), tr("Approve or reject the row")),
    )


class KeysDialog(QDialog):
    """Shows and edits a keymap; `keep` is called with each changed one, which is in force from then on."""

    def __init__(self, parent: QWidget, keymap: Keymap, keep: Callable[[Keymap], None]) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.keymap, self._keep = keymap, keep
        self._wanted = ""
        room = self.screen().availableSize()
        self.resize(min(_WIDTH, room.width() - 2 * _MARGIN), min(_HEIGHT, room.height() - 4 * _MARGIN))
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search actions and keys"))
        self.search.setAccessibleName(tr("Search actions and keys"))
        self.search.setClearButtonEnabled(True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Keyboard shortcuts"))
        self.tree.setAllColumnsShowFocus(True)
        self.tree.setHeaderLabels([tr("Action"), tr("Keys")])
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.field = KeyField()
        self.change = PlainButton(tr("Change key"), icon="keyboard", tip=tr("Then press the new key"))
        self.remove = FlatButton(tr("Remove key"), tip=tr("The action is reached by its menu alone"))
        self.reset = FlatButton(tr("Reset"), tip=tr("The key that the action had at first"))
        self.reset_all = FlatButton(tr("Reset all"), tip=tr("Every action has the keys that it had at first"))
        self.said = PlainLabel("", tone="t2")
        self.said.setWordWrap(True)
        self.take = PlainButton(tr("Take it over"))
        self.leave = FlatButton(tr("Leave it"))
        self._items: dict[str, QTreeWidgetItem] = {}
        self._tops: list[QTreeWidgetItem] = []
        self._fill()
        self._lay_out()
        self._connect()
        self._renew()

    def done(self, result: int) -> None:
        """End recording of a key."""
        self.field.stop()
        super().done(result)

    @property
    def action(self) -> Action | None:
        """The chosen action; None if a menu or a key that cannot be changed is chosen."""
        item = self.tree.currentItem()
        name = None if item is None else item.data(0, _ACTION)
        return next((one for one in self.keymap.table if one.id == name), None)

    def choose(self, name: str) -> None:
        """Choose an action by its id."""
        self.tree.setCurrentItem(self._items[name])

    def narrow(self, typed: str) -> None:
        """Show actions whose names or keys hold all the words."""
        parts = typed.casefold().split()
        for top in self._tops:
            shown = [item for item in map(top.child, range(top.childCount())) if item is not None]
            for item in shown:
                said = f"{top.text(0)} {item.text(0)} {item.text(1)}".casefold()
                item.setHidden(not all(part in said for part in parts))
            top.setHidden(all(item.isHidden() for item in shown))

    def _fill(self) -> None:
        for menu in Menu:
            top = self._group(title_of(menu))
            for action in (one for one in self.keymap.table if one.menu is menu):
                item = QTreeWidgetItem(top, [text_of(action).removesuffix("…"), ""])
                item.setData(0, _ACTION, action.id)
                item.setSizeHint(0, QSize(0, _ROW))
                self._items[action.id] = item
        top = self._group(tr("Elsewhere"))
        for keys, words in elsewhere():
            QTreeWidgetItem(top, [words, keys]).setSizeHint(0, QSize(0, _ROW))
        self._show_keys()

    def _group(self, title: str) -> QTreeWidgetItem:
        top = QTreeWidgetItem(self.tree, [title, ""])
        top.setSizeHint(0, QSize(0, _ROW))
        top.setExpanded(True)
        self._tops.append(top)
        return top

    def _lay_out(self) -> None:
        buttons, ask, end = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for widget in (self.change, self.field, self.remove, self.reset):
            buttons.addWidget(widget)
        buttons.addStretch()
        buttons.addWidget(self.reset_all)
        ask.addWidget(self.said, 1)
        ask.addWidget(self.take)
        ask.addWidget(self.leave)
        close = PlainButton(tr("Close"), key="Esc")
        close.clicked.connect(self.accept)
        end.addStretch()
        end.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(self.search)
        column.addWidget(self.tree, 1)
        for row in (buttons, ask, end):
            column.addLayout(row)

    def _connect(self) -> None:
        self.search.textChanged.connect(self.narrow)
        self.tree.currentItemChanged.connect(lambda *_: self._leave())
        self.tree.itemDoubleClicked.connect(lambda *_: self._record())
        self.change.clicked.connect(self._record)
        self.field.recorded.connect(self._recorded)
        self.field.left.connect(self._leave)
        self.remove.clicked.connect(lambda: self._give(""))
        self.reset.clicked.connect(self._reset)
        self.reset_all.clicked.connect(lambda: self._hold(Keymap(self.keymap.table)))
        self.take.clicked.connect(lambda: self._give(self._wanted))
        self.leave.clicked.connect(self._leave)

    def _record(self) -> None:
        action = self.action
        if action is not None:
            self._wanted = ""
            self._renew()
            self.change.hide()
            self.field.listen(tr("New key of {action}", action=text_of(action)))

    def _recorded(self, key: str) -> None:
        action = self.action
        if action is None:
            return
        owners = self.keymap.owners(key, action)
        if not owners:
            self._give(key)
            return
        self._wanted = key
        names = tr(", ").join(f"“{text_of(one).removesuffix('…')}”" for one in owners)
        self._renew()
        self.said.setText(tr("{key} is the key of {actions}.", key=key_text(key), actions=names))
        self.take.setFocus(Qt.FocusReason.OtherFocusReason)

    def _give(self, key: str) -> None:
        action = self.action
        if action is not None:
            self._hold(self.keymap.given(action, key))

    def _reset(self) -> None:
        action = self.action
        if action is not None:
            self._hold(self.keymap.reset(action))

    def _hold(self, keymap: Keymap) -> None:
        self.keymap = keymap
        self._keep(keymap)
        self._show_keys()
        self._leave()

    def _leave(self) -> None:
        focused = self.field.hasFocus() or self.take.hasFocus() or self.leave.hasFocus()
        self._wanted = ""
        self.field.stop()
        self._renew()
        if focused:
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_keys(self) -> None:
        for action in self.keymap.table:
            said = ", ".join(map(key_text, self.keymap.keys(action)))
            item = self._items[action.id]
            item.setText(1, tr("{keys} (changed)", keys=said or tr("none")) if self.keymap.changed(action) else said)

    def _renew(self) -> None:
        action = self.action
        self.change.show()
        self.change.setEnabled(action is not None)
        self.remove.setEnabled(action is not None and bool(self.keymap.keys(action)))
        self.reset.setEnabled(action is not None and self.keymap.changed(action))
        self.reset_all.setEnabled(bool(self.keymap.changes))
        for button in (self.take, self.leave):
            button.setVisible(bool(self._wanted))
        self.said.setText("" if action is not None else tr("Choose an action to change its key."))


_FIELD_WIDTH = 200


class KeyField(QLineEdit):
    """Records one shortcut. Hidden until `listen`; signal `recorded` carries the key, `left` is emitted when recording
    ends without one (Esc, Tab, lost focus)."""

    recorded = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFixedWidth(_FIELD_WIDTH)
        self.setPlaceholderText(tr("Press a key, or Esc"))
        self.hide()

    def listen(self, name: str) -> None:
        """Show the field with this accessible name and record the next key."""
        self.setAccessibleName(name)
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        """End recording and hide."""
        self.hide()

    def event(self, event: QEvent) -> bool:
        """Accept keys that are shortcuts elsewhere, so that they arrive here."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Emit the key, or `left` for Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        key = pressed(event.keyCombination())
        if key:
            self.recorded.emit(key)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Emit `left`: a field without the keyboard records nothing."""
        super().focusOutEvent(event)
        if self.isVisible():
            self.left.emit()
