"""One thing at a time that a page waits for, with its words, a way to cancel it, and how it went."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from agent.errors import BandleaderError
from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import ElidedLabel
from app.ui.settings.parts import GAP, ResultLabel

T = TypeVar("T")
_BAR = (80, 4)


class Working(QWidget):
    """Runs one piece of work at a time for a page. Meanwhile the widgets `held` are disabled and Cancel is shown. An
    error is shown here, unless `failed` returns True."""

    settled = Signal()
    """Emitted when work has ended and the held widgets are enabled again."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._task: asyncio.Task[object] | None = None
        self._busy = False
        self._closed = False
        self._left: QWidget | None = None
        """What had the focus before it could not be used."""
        self.held: Sequence[QWidget] = ()
        self.said = ResultLabel(kit)
        self.words = ElidedLabel("", tone="t2")
        self.cancel = PlainButton(tr("Cancel"), tip=tr("Stop waiting"))
        self.cancel.clicked.connect(self.stop)
        self._bar = bar = QProgressBar()
        bar.setTextVisible(False)
        bar.setFixedSize(*_BAR)
        bar.setAccessibleName(tr("At work"))
        self._line = QWidget()
        line = QHBoxLayout(self._line)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(GAP)
        line.addWidget(bar)
        line.addWidget(self.words, 1)
        line.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self._line)
        column.addWidget(self.said)
        self._line.hide()

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return self._busy

    def start(
        self, words: str, work: Callable[[], Awaitable[T]], done: Callable[[T], None],
        failed: Callable[[BandleaderError], bool] = lambda _: False,
    ) -> None:
        """Run work with the message `words`, then call `done` with its result; does nothing while other work is under
        way. `failed` gets an error and returns whether it has shown it."""
        if self._busy or self._closed:
            return
        self._busy = True
        self.said.clear()
        self._bar.setRange(0, 0)
        self.words.setText(words)
        self.setAccessibleName(words)
        self._show(True)
        self._task = self._kit.tasks.start(self._wait(work, done, failed), "window")

    def quietly(self, work: Callable[[], Awaitable[T]], done: Callable[[T], None]) -> None:
        """Run short work without message and without disabling anything, then call `done` with its result."""
        if not self._closed:
            self._kit.tasks.start(self._wait_quietly(work, done), "window")

    def tell_share(self, share: float, words: str) -> None:
        """Set the progress, 0 to 1, and the message."""
        if self._busy and not self._closed:
            self._bar.setRange(0, 100)
            self._bar.setValue(round(share * 100))
            self.words.setText(words)

    def stop(self) -> None:
        """Cancel work under way."""
        if self._task is not None:
            self._task.cancel()

    def close_part(self) -> None:
        """Cancel work under way and touch no widget any more."""
        self._closed = True
        self.stop()

    async def _wait(
        self, work: Callable[[], Awaitable[T]], done: Callable[[T], None], failed: Callable[[BandleaderError], bool]
    ) -> None:
        try:
            found = await work()
        except BandleaderError as error:
            self._end()
            if not self._closed and not failed(error):
                self.said.tell_error(error)
        except asyncio.CancelledError:
            self._end()
            if not self._closed:
                self.said.tell(tr("Cancelled. Nothing was changed."), "t3")
        except BaseException:
            self._end()
            raise
        else:
            self._end()
            if not self._closed:
                done(found)

    async def _wait_quietly(self, work: Callable[[], Awaitable[T]], done: Callable[[T], None]) -> None:
        try:
            found = await work()
        except BandleaderError as error:
            if not self._closed:
                self.said.tell_error(error)
        else:
            if not self._closed:
                done(found)

    def _end(self) -> None:
        self._task, self._busy = None, False
        if not self._closed:
            self._show(False)
            self.settled.emit()

    def _show(self, busy: bool) -> None:
        focused = QApplication.focusWidget()
        if busy:
            self._left = focused if focused is not None and self._holds(focused) else None
            self._line.show()
        for widget in self.held:
            widget.setEnabled(not busy)
        # What cannot be used loses the focus, and the next key would go to some other field.
        if busy and self._left is not None:
            self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)
        elif not busy and self._left is not None and focused in (self.cancel, None):
            self._left.setFocus(Qt.FocusReason.OtherFocusReason)
        if not busy:
            self._left = None
            self._line.hide()

    def _holds(self, widget: QWidget) -> bool:
        return any(one is widget or one.isAncestorOf(widget) for one in self.held)
