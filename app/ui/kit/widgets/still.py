"""A frame inside which things may be laid out anew without moving anything outside."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget


class Still(QWidget):
    """Stops layout requests of its content from reaching the window.

    Qt passes a label's other width up to the window, which then lays out and paints everything again. This widget has
    no layout, so that ends here; the window reads the content's size hints when it lays out for other reasons."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        self.setSizePolicy(content.sizePolicy())
        self.setFocusProxy(content)
        content.setParent(self)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Resize the content to the frame."""
        self._content.setGeometry(self.rect())
        super().resizeEvent(event)

    def sizeHint(self) -> QSize:  # noqa: N802
        """The size hint of the content."""
        return self._content.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """The minimum size of the content."""
        return self._content.minimumSizeHint().expandedTo(self._content.minimumSize())
