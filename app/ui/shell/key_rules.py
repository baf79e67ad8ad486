"""Who gets a key: text fields before actions, and a button that was reached by Tab before Play."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget
from shiboken6 import isValid

_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class KeyRules(QObject):
    """Lets Space play everywhere except in text fields and on a control that got the focus by Tab.

    Text fields take letters before any action gets them; that is Qt's own rule. Buttons do not, so that Space right
    after a click plays; after Tab it presses the button, as everyone who works by keyboard expects."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._held: QWidget | None = None
        self._leaving: Qt.FocusReason | None = None
        self._walked = False
        # Only what has the keyboard is listened to: through the application every event would pass here.
        app.focusChanged.connect(self._moved)
        self._hold(app.focusWidget())

    def close(self) -> None:
        """Remove the event filter."""
        self._app.focusChanged.disconnect(self._moved)
        self._hold(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Note why a widget lost the focus, and keep Space for a control that got it by Tab."""
        kind = event.type()
        if kind is QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            self._leaving = event.reason()
        elif kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._presses(watched, event):
            event.accept()
            return True
        return False

    def _moved(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is self._held:
            return
        leaving, self._leaving = self._leaving, None
        if before is None:
            # Nobody was left who could be asked why.
            self._walked = now is not None and now.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        else:
            self._walked = leaving in _BY_KEYBOARD
        self._hold(now)

    def _hold(self, widget: QWidget | None) -> None:
        if self._held is not None and isValid(self._held):
            self._held.removeEventFilter(self)
        self._held = widget
        if widget is not None:
            widget.installEventFilter(self)

    def _presses(self, watched: QObject, event: QKeyEvent) -> bool:
        plain = event.key() == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.NoModifier
        return plain and self._walked and watched is self._held and isinstance(watched, QAbstractButton | QComboBox)
