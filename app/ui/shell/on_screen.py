"""What can be seen: a window on a screen that is there, and no larger than that; a part that no other covers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QDockWidget, QWidget

_SEEN = QSize(160, 40)
"""Width and height (pixels) of the top of a window that must be on one screen, so that it can be dragged."""


def fitted_to_screens(frame: QRect, screens: Sequence[QRect]) -> QRect:
    """A rectangle for a window that is on a screen: `frame` itself if enough of its top is on one, else moved and
    shrunk to fit. The first screen is the main one; without screens `frame`."""
    if not screens:
        return frame
    top = QRect(frame.topLeft(), QSize(frame.width(), min(frame.height(), _SEEN.height())))
    for screen in screens:
        seen = screen.intersected(top)
        if seen.width() >= min(_SEEN.width(), frame.width()) and seen.height() >= top.height():
            return frame
    home = screens[0]
    size = frame.size().boundedTo(home.size())
    left = min(max(frame.left(), home.left()), home.right() - size.width() + 1)
    above = min(max(frame.top(), home.top()), home.bottom() - size.height() + 1)
    return QRect(left, above, size.width(), size.height())


def is_behind(widget: QWidget) -> bool:
    """Whether a widget lies in a dock that is behind another dock's tab."""
    above: QWidget | None = widget
    while above is not None and not isinstance(above, QDockWidget):
        above = above.parentWidget()
    return above is not None and above.visibleRegion().isEmpty()
