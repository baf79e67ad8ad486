"""Palette and style sheet of the whole application, applied over several turns of the event loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.kit.smoothness import update_freeze

_BETWEEN_MS = 8
"""Between two pieces of the work. A turn of a task takes two timers of the loop, and both must come in between."""


class Restyling(QObject):
    """Applies palette and style sheet to the whole application. `wanted` returns both at that moment; `done` is called
    before they are visible."""

    def __init__(
        self, app: QApplication, wanted: Callable[[], tuple[QPalette, str]], done: Callable[[], None]
    ) -> None:
        super().__init__(app)
        self._app = app
        self._wanted = wanted
        self._done = done
        self._stages: Iterator[None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_BETWEEN_MS)
        self._timer.timeout.connect(self._turn)

    def now(self) -> None:
        """Apply them at once."""
        self._finish()
        for _ in self._dressed():
            pass
        self._done()

    def soon(self) -> None:
        """Apply them piece by piece over several turns of the event loop; the window shows the old ones until all is
        done."""
        self._finish()
        self._stages = self._all()
        self._timer.start()

    def _finish(self) -> None:
        stages, self._stages = self._stages, None
        self._timer.stop()
        for _ in stages or ():
            pass

    def _turn(self) -> None:
        if self._stages is not None and next(self._stages, self) is not self:
            self._timer.start()

    def _all(self) -> Iterator[None]:
        seen = [window for window in self._app.topLevelWidgets() if window.isVisible() and window.updatesEnabled()]
        for window in seen:
            update_freeze.freeze_updates(window)
        try:
            yield from self._dressed()
            self._done()
            yield
        finally:
            _show_again(seen)

    def _dressed(self) -> Iterator[None]:
        palette, sheet = self._wanted()
        # With one sheet in place of another Qt dresses each widget once for each widget around it.
        self._app.setStyleSheet("")
        self._app.setPalette(palette)
        yield
        self._app.setStyleSheet(sheet)
        yield


def _show_again(windows: list[QWidget]) -> None:
    from shiboken6 import isValid

    for window in windows:
        if isValid(window):
            update_freeze.thaw_updates(window)
