"""A cell of the number display: a small label over a value, with a proposed value beside it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.theme import font
from app.ui.kit.widgets.focus_ring import paint_focus_ring

CELL_HEIGHT = 31
_SIDE = 10
_LABEL_PIXELS, _VALUE_PIXELS, _LARGE_PIXELS = 10, 13, 15
_STRONG = 600
_ARROW = " → "


class NumberCell(QWidget):
    """A labelled value, in a larger font if `large`, in the colour of `token`; its width is that of `widest`, so that
    the display does not jump while the value changes."""

    def __init__(
        self, kit: Kit, label: str, widest: str, parent: QWidget | None = None, *, large: bool = False,
        token: str = "t1",  # noqa: S107
    ) -> None:
        super().__init__(parent)
        self._theme = kit.theme
        self._label, self._widest, self._large, self._token = label, widest, large, token
        self._value, self._proposed = "", ""
        self.setFixedHeight(CELL_HEIGHT)
        kit.theme.changed.connect(self.updateGeometry)
        kit.theme.changed.connect(self.update)
        self.show_value("")

    @property
    def value(self) -> str:
        """The text that is shown."""
        return self._value

    def show_value(self, value: str, proposed: str = "", token: str = "") -> None:
        """Set the value, and the proposed one beside it (empty: none); `token` changes the value's colour."""
        self._token = token or self._token
        beside = tr(", proposed {value}", value=proposed) if proposed else ""
        self.setAccessibleName(f"{self._label} {value}{beside}")
        if (value, proposed) != (self._value, self._proposed):
            resize = len(proposed) != len(self._proposed) or len(value) > len(self._widest)
            self._value, self._proposed = value, proposed
            if resize:
                self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        value = self._font()
        wide = max(
            QFontMetrics(value).horizontalAdvance(max(self._widest, self._value, key=len)) + self._more(),
            QFontMetrics(font(_LABEL_PIXELS)).horizontalAdvance(self._label),
        )
        return QSize(wide + 2 * _SIDE, CELL_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002
        painter = QPainter(self)
        theme = self._theme
        painter.fillRect(self.rect(), theme.color("well"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), theme.color("line"))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(theme.color("t3"))
        painter.setFont(font(_LABEL_PIXELS))
        painter.drawText(QRect(_SIDE, 1, self.width() - _SIDE, 12), left, self._label)
        painter.setPen(theme.color(self._token))
        painter.setFont(self._font())
        line = QRect(_SIDE, 13, self.width() - _SIDE, 17)
        painter.drawText(line, left, self._value)
        if self._proposed:
            line.setLeft(_SIDE + painter.fontMetrics().horizontalAdvance(self._value))
            painter.setPen(theme.color("agent"))
            painter.setFont(self._proposed_font())
            painter.drawText(line, left, _ARROW + self._proposed)
        painter.end()
        paint_focus_ring(self)

    def _more(self) -> int:
        if not self._proposed:
            return 0
        return QFontMetrics(self._proposed_font()).horizontalAdvance(_ARROW + self._proposed)

    def _font(self) -> QFont:
        return font(_LARGE_PIXELS if self._large else _VALUE_PIXELS, _STRONG)

    def _proposed_font(self) -> QFont:
        return font(_VALUE_PIXELS - 1, _STRONG)
