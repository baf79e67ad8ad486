"""A and B: the letter of a version on its colour, and the version's name beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.ui.kit.context import Kit
from app.ui.kit.theme import font
from app.ui.kit.widgets.labels import ElidedLabel

_LETTER = 18
_GAP = 8


class Letter(QWidget):
    """The letter A or B on its colour, 18 × 18 px."""

    def __init__(self, kit: Kit, letter: str) -> None:
        super().__init__()
        self._kit, self._letter = kit, letter
        self.setFixedSize(_LETTER, _LETTER)
        self.setAccessibleName(letter)
        kit.theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint the letter on its colour."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, first = self._kit.theme, self._letter == "A"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("you_fill" if first else "agent_fill"))
        painter.drawRoundedRect(self.rect(), 3, 3)
        painter.setPen(theme.color("on_you" if first else "on_agent"))
        painter.setFont(font(11, 600))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._letter)
        painter.end()


class VersionLabel(QWidget):
    """A letter and the name of a version, elided."""

    def __init__(self, kit: Kit, letter: str) -> None:
        super().__init__()
        self._letter = letter
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(Letter(kit, letter))
        self.words = ElidedLabel("", size="strong")
        row.addWidget(self.words, 1)

    def show_words(self, words: str) -> None:
        """Set the name."""
        self.words.setText(words)
        self.setAccessibleName(f"{self._letter}: {words}")
