"""A field that takes the next key that is pressed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.i18n import tr
from app.ui.shell.keymap import pressed

_WIDTH = 200


class KeyField(QLineEdit):
    """Records one shortcut. Hidden until `listen`; signal `recorded` carries the key, `left` is emitted when recording
    ends without one (Esc, Tab, lost focus)."""

    recorded = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFixedWidth(_WIDTH)
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
