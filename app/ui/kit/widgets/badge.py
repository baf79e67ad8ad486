"""The step number in brass, the same in the plan, on ghosts and on track headers."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.theme import Theme, font

BADGE_HEIGHT = 14
_PADDING = 4
_PIXELS = 10
_BOLD = 700
_RADIUS = 3.0


def paint_badge(painter: QPainter, x: float, middle: float, text: str, theme: Theme) -> float:
    """Draw a badge with its left edge at x, centred on `middle`; returns its width in logical pixels."""
    bold = font(_PIXELS, _BOLD)
    box = QRectF(x, middle - BADGE_HEIGHT / 2, badge_width(text), BADGE_HEIGHT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("agent_fill"))
    painter.drawRoundedRect(box, _RADIUS, _RADIUS)
    painter.setPen(theme.color("on_agent"))
    painter.setFont(bold)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
    return box.width()


def badge_width(text: str) -> float:
    """Width of a badge in logical pixels; at least its height."""
    return max(float(BADGE_HEIGHT), round(QFontMetricsF(font(_PIXELS, _BOLD)).horizontalAdvance(text)) + 2.0 * _PADDING)


class NumberBadge(QWidget):
    """A widget that shows the number of a plan's step."""

    def __init__(self, kit: Kit, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = kit.theme
        self._text = ""
        kit.theme.changed.connect(self.update)
        self.set_number(number)

    def set_number(self, number: int) -> None:
        """Show another step's number."""
        self._text = str(number)
        self.setAccessibleName(tr("Step {number}", number=number))
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(round(badge_width(self._text)), BADGE_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002
        painter = QPainter(self)
        paint_badge(painter, 0, self.height() / 2, self._text, self._theme)
        painter.end()
