"""A line over a name, in which a clip, a track or a section gets another one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.kit.widgets.in_place import InPlaceLine
from app.viewmodels.edits.clip_edits import MAX_NAME


class RenameLine(InPlaceLine):
    """An inline text field for a name; any text is accepted. `what` says in the accessible name whose name it is."""

    def __init__(self, parent: QWidget, place: QRect, name: str, what: str, keep: Callable[[str], None]) -> None:
        def kept(text: str) -> bool:
            keep(text)
            return True

        super().__init__(parent, place, name, tr("New name of {what}", what=what), kept, longest=MAX_NAME)
        self.selectAll()
