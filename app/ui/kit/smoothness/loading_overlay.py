"""What is seen while another project opens: the window as it was, until the new one can be seen whole."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QWidget

from app.ui.kit.smoothness import update_freeze

if TYPE_CHECKING:
    # The window is shown before what it is filled with.
    from app.ui.kit.context import Kit

_STEP = 0.02
_STILL = 3
"""Checks in a row that must find no view busy, before the new project is shown."""
_MOST = 30
_LATEST_MS = 3000
_KEYS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)


class LoadingOverlay(QWidget):
    """An overlay that keeps the window's last picture while another project opens.

    While it is down nothing of the window is painted, and neither mouse nor keys reach its widgets. It stays down for
    three seconds at most, however long the opening takes."""

    def __init__(self, kit: Kit, window: QWidget) -> None:
        super().__init__(window)
        self._kit = kit
        self._window = window
        self._busy = 0
        self._down = False
        self._screen: QWindow | None = None
        self._latest = QTimer(self)
        self._latest.setSingleShot(True)
        self._latest.setInterval(_LATEST_MS)
        self._latest.timeout.connect(self.uncover)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.BusyCursor)
        self.hide()

    @property
    def down(self) -> bool:
        """Whether it covers the window."""
        return self._down

    def cover(self) -> None:
        """Cover the window with a picture of itself and hold its updates."""
        self._down, self._busy = True, self._kit.tasks.running
        self._screen = self._window.windowHandle()
        if self._screen is not None:
            self._screen.installEventFilter(self)
        update_freeze.freeze_updates(self._window)
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()
        self._latest.start()

    def uncover(self) -> None:
        """Uncover the window and show it as it is now; does nothing while it is not covered."""
        if self._down:
            self._down = False
            if self._screen is not None:
                self._screen.removeEventFilter(self)
            self._latest.stop()
            self.hide()
            update_freeze.thaw_updates(self._window)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802, ARG002
        """Filter of the window's events: swallows key events while the window is covered."""
        return event.type() in _KEYS

    async def uncover_when_idle(self) -> None:
        """Uncover the window once all views have been up to date for some checks in a row, or after a short time
        limit."""
        still = 0
        for _ in range(_MOST if self._down else 0):
            await asyncio.sleep(_STEP)
            still = 0 if self._kit.turns.busy or self._kit.tasks.running > self._busy else still + 1
            if still == _STILL or not self._down:
                break
        self.uncover()
