"""A line with a caret that shows and hides more of an entry."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.chat.parts import FOLD_HEIGHT, ICON
from app.ui.kit.icons import icon
from app.ui.kit.widgets.buttons import FocusedToolButton

_CARET = 10


class Details(QWidget):
    """A line with a caret that shows and hides more of an entry; closed at first. `make` builds the content when it is
    first opened; `show_words` and `hide_words` are the button's accessible texts."""

    def __init__(self, title: str, show_words: str, hide_words: str, make: Callable[[], QWidget]) -> None:
        super().__init__()
        self._names = (show_words, hide_words)
        self._make = make
        self.body: QWidget | None = None
        self.button = FocusedToolButton()
        self.button.setText(title)
        self.button.setCheckable(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setIconSize(QSize(_CARET, _CARET))
        self.button.setFixedHeight(FOLD_HEIGHT)
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.toggled.connect(self._turn)
        self._tell(False)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self.button)

    def open(self) -> None:
        """Show the content."""
        self.button.setChecked(True)

    def _turn(self, shown: bool) -> None:
        if self.body is None:
            self.body = self._make()
            self._column.addWidget(self.body)
        self.body.setVisible(shown)
        self._tell(shown)

    def _tell(self, shown: bool) -> None:
        self.button.setIcon(icon("caret-down" if shown else "caret-right", "t3", ICON))
        self.button.setAccessibleName(self._names[shown])
        self.button.setToolTip(self._names[shown])
