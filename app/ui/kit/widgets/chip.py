"""A chip: a few words with an icon or a colour, which can be taken away."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.widgets.buttons import IconButton
from app.ui.kit.widgets.labels import ElidedLabel

CHIP_HEIGHT = 20
_ICON = 12
_SWATCH = 8
_SIDE = 6
_GAP = 4
_WIDEST = 220
_CLOSE = 18


class Chip(QWidget):
    """A small label with `text`, an icon in the colour of `token`, or a square in the colour `swatch` (#RRGGBB). With
    `removable` a cross emits `removed`; the owner then removes the chip."""

    removed = Signal()

    def __init__(
        self, kit: Kit, text: str, parent: QWidget | None = None, *, icon_name: str = "", token: str = "t2",  # noqa: S107
        swatch: str = "", removable: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme = kit.theme
        self._swatch = swatch
        self.setFixedHeight(CHIP_HEIGHT)
        self.setMaximumWidth(_WIDEST)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)
        row = QHBoxLayout(self)
        left = _SIDE + (_SWATCH + _GAP if swatch else 0)
        row.setContentsMargins(left, 0, 1 if removable else _SIDE, 0)
        row.setSpacing(_GAP)
        if icon_name:
            row.addWidget(_Mark(kit, icon_name, token, self))
        self.label = ElidedLabel(text, self, size="small", tone="t2")
        row.addWidget(self.label)
        self.cross: IconButton | None = None
        if removable:
            self.cross = IconButton("x", tr("Remove {what}", what=text), parent=self, size=10)
            self.cross.setFixedSize(_CLOSE, _CLOSE)
            self.cross.clicked.connect(self.removed)
            row.addWidget(self.cross)
        kit.theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("ctl"))
        painter.drawRoundedRect(self.rect(), 3, 3)
        if self._swatch:
            painter.setBrush(QColor(self._swatch))
            painter.drawRoundedRect(QRectF(_SIDE, (self.height() - _SWATCH) / 2, _SWATCH, _SWATCH), 2, 2)
        painter.end()


class _Mark(QLabel):
    """An icon beside text, which takes the colours of another theme."""

    def __init__(self, kit: Kit, name: str, token: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon = icon(name, token, _ICON)
        self._renew()
        kit.theme.changed.connect(self._renew)

    def _renew(self) -> None:
        self.setPixmap(self._icon.pixmap(QSize(_ICON, _ICON), self.devicePixelRatioF()))
