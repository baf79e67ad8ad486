"""Whether nobody does anything in the window, and nothing goes on in it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    # The database is slow to import; it follows the first frame.
    from app.viewmodels.desktop import Desktop

PATIENCE = 10.0
"""Seconds without input and without other activity after which the window is idle."""
_INPUT = frozenset({
    QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseMove, QEvent.Type.Wheel, QEvent.Type.TouchBegin, QEvent.Type.TouchUpdate,
    QEvent.Type.TabletPress, QEvent.Type.TabletMove,
})


class Idleness(QObject):
    """Detects that the window is idle: no key or pointer event in it for a while, and `busy()` False. `clock` returns
    seconds."""

    def __init__(self, window: QWidget, busy: Callable[[], bool], clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(window)
        self._busy = busy
        self._clock = clock
        self._last = clock()
        # Every widget of the window hears each event again; the window on the screen hears it once.
        handle = window.windowHandle()
        assert handle is not None, "it is shown"
        handle.installEventFilter(self)

    def idle(self) -> bool:
        """Whether a pause of a tenth of a second would disturb nobody; must be asked often, as `busy` is checked only
        then."""
        now = self._clock()
        if self._busy() or QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
            self._last = now
        return now - self._last > PATIENCE

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802
        """Note the time of input events; filters nothing out."""
        if event.type() in _INPUT:
            self._last = self._clock()
        return False


def at_work(desktop: Desktop) -> bool:
    """Whether the open project is planning, checking, running, preparing sound or playing."""
    now = desktop.opened.value
    if now is None:
        return False
    playing = now.playback.state.value
    return (
        now.asking.busy or now.reviewing.pending.value or now.running.busy
        or playing.playing or playing.preparing is not None
    )
