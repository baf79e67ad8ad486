"""What all parts around the notes have in common."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget

from app.ui.pianoroll.look import Look
from app.ui.pianoroll.stage import Stage


class Beside(QWidget):
    """A press gives the keyboard to the notes, whose Esc ends a drag; the wheel is theirs too."""

    def __init__(self, stage: Stage, look: Callable[[], Look], parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(parent)
        self._stage = stage
        self._look = look

    def say(self, name: str, accessible: str, description: str) -> None:
        """Its name for tests and style, and what assistive programs are told."""
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setAccessibleDescription(description)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """The notes scroll and zoom."""
        event.ignore()
