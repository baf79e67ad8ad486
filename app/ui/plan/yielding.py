"""A line of words and buttons that gives way where it is narrow, so that nothing in it is cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

Yield: TypeAlias = Callable[[bool], object]
"""A function that shrinks or hides widgets (True), or shows them at full size (False)."""
_WORDS = "words"


class Yielding(QWidget):
    """A bar whose widgets shrink or hide, in the order of `gives_way`, as long as it is too narrow; call `fit` after
    its texts have changed."""

    def __init__(self) -> None:
        super().__init__()
        self._ways: tuple[Yield, ...] = ()
        self._whole = 0
        self._fitting = False

    def gives_way(self, *ways: Yield) -> None:
        """Set the functions that save room, the least important widget first; each takes whether to save room (True) or
        undo that."""
        self._ways = ways

    def fit(self) -> None:
        """Apply as few of the functions of `gives_way` as the width needs."""
        # Hiding something lays the line out at once, which comes back here.
        if self._fitting:
            return
        self._fitting = True
        try:
            for way in self._ways:
                way(False)
            self._whole = self._wanted()
            for way in self._ways:
                if self._wanted() <= self.width():
                    break
                way(True)
        finally:
            self._fitting = False

    def _wanted(self) -> int:
        line = self.layout()
        return 0 if line is None else line.sizeHint().width()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The width of all widgets at full size, so that they come back when there is room."""
        return QSize(self._whole or self._wanted(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """No minimum width, so that the bar can be made as narrow as its parent wants."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.fit()


def say(button: QPushButton, words: str) -> None:
    """Set the full text of a button, shown where there is room."""
    button.setProperty(_WORDS, words)
    if button.text() != words:
        button.setText(words)


def shortened(button: QPushButton, short: Callable[[], str] = str) -> Yield:
    """A function for `gives_way` that shortens a button's text to what `short` returns, by default none, so that only
    its icon is left; tooltip and accessible name stay."""

    def way(less: bool) -> None:
        if button.property(_WORDS) is None:
            say(button, button.text())
        words = short() if less else str(button.property(_WORDS))
        if button.text() != words:
            button.setText(words)

    return way


def hidden(*widgets: QWidget, unless: Callable[[], bool] = lambda: False) -> Yield:
    """A function for `gives_way` that hides widgets; they also stay hidden while `unless` is true."""

    def way(less: bool) -> None:
        for one in widgets:
            one.setVisible(not less and not unless())

    return way
