"""The mixer: a strip for each track, and one for the master."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.open_project import OpenProject
from app.ui.kit.context import Kit
from app.ui.kit.widgets.empty_state import EmptyState
from app.words import tr


class MixerPanel(QWidget):
    """Follows the working song."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("mixer")
        self.setAccessibleName(tr("Mixer"))
        self._opened = opened
        self._kit = kit
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(EmptyState(tr("No tracks yet"), tr("Every track of the song gets a strip here.")))

    def take_keyboard(self) -> None:
        """Give the strips the keyboard."""
        self.setFocus()

    def close_view(self) -> None:
        """End everything that listens."""
