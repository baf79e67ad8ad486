"""A field that takes the next key that is pressed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.ui.shell.keymap import pressed
from app.words import tr

_WIDTH = 200


class KeyField(QLineEdit):
    """Hidden until it listens; `recorded` carries the key, `left` that there is none. Esc and Tab leave."""

    recorded = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFixedWidth(_WIDTH)
        self.setPlaceholderText(tr("Press a key, or Esc"))
        self.hide()

    def listen(self, name: str) -> None:
        """Take the next key."""
        self.setAccessibleName(name)
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        """Take no key any more."""
        self.hide()

    def event(self, event: QEvent) -> bool:
        """Keys that are shortcuts elsewhere come here."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """The key, or the end."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        key = pressed(event.keyCombination())
        if key:
            self.recorded.emit(key)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Who goes elsewhere wants no key."""
        super().focusOutEvent(event)
        if self.isVisible():
            self.left.emit()
