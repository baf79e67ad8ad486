"""Says that no account is needed, with the way to a key for those who want one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.welcome.rows import TALL_BUTTON

_EDGE = 3
_MARK = 18


class OfflineStrip(QFrame):
    """Says that no account is needed, with a link to set up a provider's key."""

    key_wanted = Signal()
    """Emitted when the person wants to set up a provider's key."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 14, 10)
        row.setSpacing(14)
        row.addWidget(_Mark(kit, "wifi-slash", "ok"))
        said = QVBoxLayout()
        said.setSpacing(1)
        said.addWidget(PlainLabel(tr("Works offline. Add a key later."), size="strong"))
        about = tr("The built-in composer needs no account and no network. A key adds hosted models.")
        said.addWidget(ElidedLabel(about, tone="t2"))
        row.addLayout(said, 1)
        tip = tr("Set up a model of a provider in the settings")
        self.key_button = PlainButton(tr("Add a key…"), icon="key", tip=tip)
        self.key_button.setMinimumHeight(TALL_BUTTON)
        self.key_button.clicked.connect(lambda: self.key_wanted.emit())
        row.addWidget(self.key_button)
        kit.theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        painter = QPainter(self)
        painter.setPen(self._kit.theme.color("line2"))
        painter.setBrush(self._kit.theme.color("panel"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.fillRect(0, 0, _EDGE, self.height(), self._kit.theme.color("ok"))
        painter.end()


class _Mark(QLabel):
    """An icon that takes the colours of another theme."""

    def __init__(self, kit: Kit, name: str, token: str) -> None:
        super().__init__()
        self._icon = icon(name, token, _MARK)
        kit.theme.changed.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        self.setPixmap(self._icon.pixmap(_MARK, _MARK))
