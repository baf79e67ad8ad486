"""Who gets a key: text fields before actions, and a button that was reached by Tab before Play."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget

from app.ui.shell.plain_tips import tell_tip

_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class KeyRules(QObject):
    """Space plays, except where it writes, and on a control that the keyboard has walked to.

    Fields take letters before any action gets them; that is Qt's own rule. Buttons do not, so that Space right
    after a click would play; after Tab it presses, as everyone who works by keyboard expects.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._walked: QObject | None = None
        app.installEventFilter(self)

    def close(self) -> None:
        """Rule no more."""
        self._app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Note how focus came, and keep Space for the control that has it so."""
        kind = event.type()
        # Styles and windows are told of focus too.
        if kind is QEvent.Type.FocusIn and isinstance(event, QFocusEvent) and isinstance(watched, QWidget):
            self._walked = watched if event.reason() in _BY_KEYBOARD else None
        elif kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._presses(watched, event):
            event.accept()
            return True
        elif kind is QEvent.Type.ToolTipChange and isinstance(watched, QWidget):
            # Every event of the program passes here once; a second place would cost as much again.
            tell_tip(watched)
        return False

    def _presses(self, watched: QObject, event: QKeyEvent) -> bool:
        plain = event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.NoModifier
        return plain and watched is self._walked and isinstance(watched, QAbstractButton | QComboBox)
