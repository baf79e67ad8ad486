"""The title bar of a dock: its title, secondary text beside it, buttons on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel

TITLE_HEIGHT = 30
_LEFT, _RIGHT, _GAP = 12, 6, 6


class DockTitle(QWidget):
    """A dock's title bar for `QDockWidget.setTitleBarWidget`, 30 px high: title, secondary text `sub`, buttons."""

    def __init__(
        self, title: str, sub: str = "", buttons: tuple[QWidget, ...] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(TITLE_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(_LEFT, 0, _RIGHT, 0)
        row.setSpacing(_GAP)
        self._title = PlainLabel(title, self, size="strong")
        self._sub = ElidedLabel(sub, self, tone="t3")
        row.addWidget(self._title)
        row.addWidget(self._sub, 1)
        for button in buttons:
            row.addWidget(button)
        self._name()

    def set_sub(self, sub: str) -> None:
        """Set the secondary text, such as the song's name or a count; empty for none."""
        self._sub.setText(sub)
        self._name()

    def _name(self) -> None:
        self.setAccessibleName(f"{self._title.text()} {self._sub.text()}".strip())
