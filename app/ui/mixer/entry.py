"""A small line over a painted value, in which a number is typed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

_MOST = 24


class ValueEntry(QLineEdit):
    """Enter and leaving it keep what was typed, Esc does not; it takes itself away afterwards.

    `keep` tells whether the text could be read; after Enter on one that could not, the line stays.
    """

    def __init__(self, parent: QWidget, place: QRect, text: str, name: str, keep: Callable[[str], bool]) -> None:
        super().__init__(text, parent)
        self._keep = keep
        self._ended = False
        self.setMaxLength(_MOST)
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setTextMargins(-4, -2, -4, -2)
        self.setGeometry(place)
        self.returnPressed.connect(self._enter)
        self.textEdited.connect(lambda _: self._mark(wrong=False))
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Esc is meant for the line and not for the window."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and (
            event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Esc leaves the old value; no key goes on to what lies below."""
        if event.key() == Qt.Key.Key_Escape:
            self._end()
        else:
            super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Going elsewhere keeps a value that can be read."""
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
