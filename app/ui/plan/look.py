"""What painting in this room takes from the theme: colours by token, icons, the two fonts."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QFont, QIcon, QPainter

from app.ui.kit.icons import icon, paint_running_ring, pixmap
from app.ui.kit.theme import Theme, font
from app.ui.kit.theme import mono as mono_font
from app.ui.kit.tokens import Tokens

_TEXT_SIZE = 12
_BOLD = 600
_RING = "ring"


class Look:
    """Colours, fonts and icons of the theme, read at each painting, so that another theme only needs a repaint."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._fonts: dict[tuple[bool, bool], QFont] = {}

    @property
    def tokens(self) -> Tokens:
        """The colours of the current theme."""
        return self.theme.tokens

    def color(self, token: str) -> QColor:
        """The colour of a token."""
        return self.theme.color(token)

    def font(self, *, bold: bool = False, mono: bool = False) -> QFont:
        """The font of rows, or with `mono` that of tool names."""
        key = (bold, mono)
        if key not in self._fonts:
            self._fonts[key] = mono_font() if mono else font(_TEXT_SIZE, _BOLD if bold else 400)
        return self._fonts[key]

    def icon(self, name: str, tone: str = "t2") -> QIcon:
        """An icon for a button, in the colour of the token `tone`."""
        return icon(name, tone)

    def paint_icon(self, painter: QPainter, area: QRect, name: str, token: str, turn: float = 0.0) -> None:
        """Paint an icon in a token's colour; `turn` (0 to 1) is the rotation of the icon "ring", the sign of
        running."""
        if name == _RING:
            paint_running_ring(painter, QRectF(area), self.color(token), turn)
            return
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(area.topLeft(), pixmap(name, self.color(token), area.width(), ratio))
