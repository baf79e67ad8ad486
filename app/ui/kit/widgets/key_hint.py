"""A shortcut as a small key cap."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.kit.context import Kit
from app.ui.kit.key_text import key_text
from app.ui.kit.theme import font

_HEIGHT = 16
_PADDING = 4
_PIXELS = 10
_MEDIUM = 500


class KeyHint(QWidget):
    """Shows a shortcut in native text; screen readers get it from the control's tooltip instead. `on_main`: on a
    primary button."""

    def __init__(self, kit: Kit, key: str, parent: QWidget | None = None, *, on_main: bool = False) -> None:
        super().__init__(parent)
        self._theme = kit.theme
        self._on_main = on_main
        self.say(key)
        kit.theme.changed.connect(self.update)

    def say(self, key: str) -> None:
        """Show another key; empty hides the hint."""
        self._text = key_text(key)
        self.setAccessibleName(self._text)
        self.setFixedSize(self.sizeHint())
        self.setVisible(bool(key))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        width = QFontMetrics(font(_PIXELS, _MEDIUM)).horizontalAdvance(self._text)
        return QSize(max(_HEIGHT, width + 2 * _PADDING + 1), _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink: QColor = self._theme.color("on_you" if self._on_main else "t3")
        painter.setPen(ink if self._on_main else self._theme.color("line2"))
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(ink)
        painter.setFont(font(_PIXELS, _MEDIUM))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()
