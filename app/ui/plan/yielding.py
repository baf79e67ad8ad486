"""A line of words and buttons that gives way where it is narrow, so that nothing in it is cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

Yield: TypeAlias = Callable[[bool], object]
"""Takes less room (True), or as much as it wants."""
_WORDS = "words"


class Yielding(QWidget):
    """Gives way in the order of `gives_way`, no further than it must; call `fit` after its words have changed."""

    def __init__(self) -> None:
        super().__init__()
        self._ways: tuple[Yield, ...] = ()
        self._whole = 0
        self._fitting = False

    def gives_way(self, *ways: Yield) -> None:
        """What takes less room, the least important first."""
        self._ways = ways

    def fit(self) -> None:
        """Give as little way as the width allows."""
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
        """As wide as all of it, so that it comes back when there is room."""
        return QSize(self._whole or self._wanted(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As narrow as it is asked to be."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.fit()


def say(button: QPushButton, words: str) -> None:
    """What a button says where there is room."""
    button.setProperty(_WORDS, words)
    if button.text() != words:
        button.setText(words)


def shortened(button: QPushButton, short: Callable[[], str] = str) -> Yield:
    """A button that says less, or shows its icon alone; its tooltip and its name stay."""

    def way(less: bool) -> None:
        if button.property(_WORDS) is None:
            say(button, button.text())
        words = short() if less else str(button.property(_WORDS))
        if button.text() != words:
            button.setText(words)

    return way


def hidden(*widgets: QWidget, unless: Callable[[], bool] = lambda: False) -> Yield:
    """Widgets that are not shown where there is no room; those that are hidden anyway stay so."""

    def way(less: bool) -> None:
        for one in widgets:
            one.setVisible(not less and not unless())

    return way
