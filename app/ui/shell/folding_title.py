"""The title of a dock that may stand behind a tab, which says its name already."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.ui.kit.widgets.dock_title import TITLE_HEIGHT, DockTitle


class FoldingTitle(DockTitle):
    """A dock's title with the toolbar of its view on the right; folded it has no height."""

    def __init__(self, title: str, bar: QWidget | None) -> None:
        super().__init__(title, buttons=() if bar is None else (bar,))
        self.bar = bar
        self._folded = False

    def fold(self, folded: bool) -> None:
        """Set the height to 0, or back to the usual one."""
        self._folded = folded
        self.setFixedHeight(0 if folded else TITLE_HEIGHT)
        frame = self.parentWidget()
        if frame is not None:
            frame.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """The height 0 or the usual one: docks ask for this alone."""
        return QSize(super().sizeHint().width(), 0 if self._folded else TITLE_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, self.sizeHint().height())
