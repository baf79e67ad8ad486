"""The piano roll: the notes of the clip that is chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.open_project import OpenProject
from app.ui.kit.context import Kit
from app.ui.kit.widgets.empty_state import EmptyState
from app.words import tr


class PianoRollPanel(QWidget):
    """Follows `Focus.clip`."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("pianoroll")
        self.setAccessibleName(tr("Piano roll"))
        self._opened = opened
        self._kit = kit
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(EmptyState(tr("No clip chosen"), tr("Select a clip to see its notes.")))

    def take_keyboard(self) -> None:
        """Give the notes the keyboard."""
        self.setFocus()

    def close_view(self) -> None:
        """End everything that listens."""
