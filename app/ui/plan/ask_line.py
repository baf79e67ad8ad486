"""One line above the table that asks for a few words: why a row is rejected, what should be other next time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.ui.plan.look import Look
from app.ui.plan.widgets import STRIP_HEIGHT, Words, button
from app.words import tr

_LONGEST = 500
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class AskLine(QWidget):
    """Enter takes the words, Esc takes none. `closed` tells that the table has the keyboard again."""

    closed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._then: Callable[[str], None] = lambda _: None
        self._question = Words(look)
        self.field = _Field()
        self.field.setMaxLength(_LONGEST)
        self.field.returnPressed.connect(self.take)
        self.button = button(tr("Reject"), self.take, role="main")
        self._cancel = button(tr("Cancel"), self.cancel, role="plain", tip=tr("Leave it as it is (Esc)"))
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 0, 8, 0)
        line.setSpacing(8)
        line.addWidget(self._question)
        line.addWidget(self.field, 1)
        line.addWidget(self.button)
        line.addWidget(self._cancel)
        self.setFixedHeight(STRIP_HEIGHT)
        self.hide()

    def ask(self, question: str, hint: str, verb: str, then: Callable[[str], None]) -> None:
        """Ask for words that may be none; `verb` is on the button."""
        self._then = then
        self._question.setText(question)
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(f"{question}: {hint}")
        self.field.setText("")
        self.button.setText(verb)
        self.button.setAccessibleName(f"{verb}: {question}")
        self.setAccessibleName(question)
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def take(self) -> None:
        """Go on with what is written."""
        if not self.isHidden():
            self.cancel()
            self._then(" ".join(self.field.text().split()))

    def cancel(self) -> None:
        """Ask no more."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Esc leaves; keys of the field are not for the window."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """A soft ground in the person's colour."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._look.color("you_soft"))


class _Field(QLineEdit):
    """Enter, with whatever else is held, takes what is written here, and approves nothing."""

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _ENTER:
            event.accept()
            return True
        return super().event(event)
