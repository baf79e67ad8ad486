"""A small line over a painted value, in which a number is typed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from app.ui.kit.widgets.in_place import InPlaceLine

_MOST = 24


class ValueEntry(InPlaceLine):
    """An inline text field for a number; `keep` gets the text and returns whether it could be read."""

    def __init__(self, parent: QWidget, place: QRect, text: str, name: str, keep: Callable[[str], bool]) -> None:
        super().__init__(parent, place, text, name, keep, longest=_MOST)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setTextMargins(-4, -2, -4, -2)
