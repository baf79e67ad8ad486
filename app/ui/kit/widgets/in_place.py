"""Lines that are written in for a moment, and that Esc takes back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class EscLine(QLineEdit):
    """A line edit that handles Esc before the window's shortcuts; signal `escaped` is emitted then."""

    escaped = Signal()

    def event(self, event: QEvent) -> bool:
        """Claim Esc before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and (
            event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Emit `escaped` for Esc; other keys are typed."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            event.accept()
        else:
            super().keyPressEvent(event)


class InPlaceLine(EscLine):
    """An inline text field over a painted value, for at most `longest` characters; it deletes itself afterwards. Enter
    and a lost focus store the text, Esc discards it. `keep` is called with the text and returns whether it is valid;
    after Enter on an invalid one the field stays and is marked."""

    def __init__(
        self, parent: QWidget, place: QRect, text: str, name: str, keep: Callable[[str], bool], *, longest: int
    ) -> None:
        super().__init__(text, parent)
        self._keep = keep
        self._ended = False
        self.setMaxLength(longest)
        self.setAccessibleName(name)
        self.setGeometry(place)
        self.returnPressed.connect(self._enter)
        self.escaped.connect(self._end)
        self.textEdited.connect(lambda _: self._mark(wrong=False))
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Handle every key here, so that none reaches the widget below."""
        super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Store a valid text and close."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason and not self._ended:
            self._ended = True
            self._keep(self.text())
            self._take_away()

    def _enter(self) -> None:
        if self._keep(self.text()):
            self._end()
        else:
            self._mark(wrong=True)
            self.selectAll()

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            parent = self.parentWidget()
            self._take_away()
            if parent is not None:
                parent.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take_away(self) -> None:
        self.hide()
        self.deleteLater()

    def _mark(self, *, wrong: bool) -> None:
        if bool(self.property("wrong")) != wrong:
            self.setProperty("wrong", wrong)
            self.style().unpolish(self)
            self.style().polish(self)
