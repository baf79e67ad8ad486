"""A small line in which a clip or a track gets another name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desktop.edits.clip_edits import MAX_NAME
from app.words import tr


class RenameLine(QLineEdit):
    """Enter and leaving it keep the name, Esc does not; it takes itself away afterwards."""

    def __init__(self, parent: QWidget, place: QRect, name: str, what: str, keep: Callable[[str], None]) -> None:
        super().__init__(name, parent)
        self._keep = keep
        self._ended = False
        self.setMaxLength(MAX_NAME)
        self.setAccessibleName(tr("New name of {what}", what=what))
        self.setGeometry(place)
        self.selectAll()
        self.returnPressed.connect(lambda: self._end(kept=True))
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Esc leaves the old name."""
        if event.key() == Qt.Key.Key_Escape:
            self._end(kept=False)
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Going elsewhere keeps the name."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._end(kept=True)

    def _end(self, *, kept: bool) -> None:
        if self._ended:
            return
        self._ended = True
        if kept:
            self._keep(self.text())
        parent = self.parentWidget()
        self.hide()
        self.deleteLater()
        if parent is not None:
            parent.setFocus(Qt.FocusReason.OtherFocusReason)
