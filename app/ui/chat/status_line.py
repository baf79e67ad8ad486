"""The lines about sending: what a request would use of a model while it is typed, and what goes on once it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from PySide6.QtCore import QObject, QRectF, QSize, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from agent.errors import BandleaderError
from agent.plan.document import Estimate
from app.ui.chat.request_box import RequestBox
from app.ui.kit.context import Kit
from app.ui.kit.icons import paint_running_ring
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.viewmodels.texts.money import estimate_words

Estimator: TypeAlias = Callable[[str], Awaitable[Estimate | None]]

_STILL = 400
"""Milliseconds after the last key press before an estimate is asked for."""


class Foretelling(QObject):
    """Shows what sending the request would use of a model, once typing pauses. An estimate for a text that has changed
    since is not shown."""

    def __init__(self, box: RequestBox, kit: Kit, estimate: Estimator) -> None:
        super().__init__(box)
        self._box = box
        self._kit = kit
        self._estimate = estimate
        self._task: asyncio.Task[object] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_STILL)
        self._timer.timeout.connect(self._due)
        box.text.textChanged.connect(self.again)

    def again(self) -> None:
        """To be called when the text or its receiver has changed."""
        self._drop()
        if self._words():
            self._timer.start()
        else:
            self._box.tell_estimate("")

    def stop(self) -> None:
        """Stop the timer and drop an estimate under way."""
        self._drop()

    def _drop(self) -> None:
        self._timer.stop()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _words(self) -> str:
        return self._box.text.toPlainText().strip()

    def _due(self) -> None:
        self._task = self._kit.tasks.start(self._ask(self._words()), "chat")

    async def _ask(self, words: str) -> None:
        try:
            found = await self._estimate(words)
        except BandleaderError:
            # Whatever is in the way is told once the request is sent.
            found = None
        if words == self._words():
            self._box.tell_estimate(estimate_words(found))


_HEIGHT = 24
_RING = 14
_TURN_MS = 50
_TURNS = 20
_TICKS = 1000 // _TURN_MS


class ActivityLine(QWidget):
    """A busy indicator, what is being done, and for how long; hidden while nothing is."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self.setFixedHeight(_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(6)
        self._ring = _Ring(kit)
        self.words = ElidedLabel("", tone="t2", size="small")
        self.used = PlainLabel("", tone="t3", size="small")
        self._time = PlainLabel("", tone="t3", size="small")
        row.addWidget(self._ring)
        row.addWidget(self.words, 1)
        row.addWidget(self.used)
        row.addWidget(self._time)
        self.timer = QTimer(self)
        self.timer.setInterval(_TURN_MS)
        self.timer.timeout.connect(self._turn)
        self._ticks = 0
        self.tell("")

    def tell(self, words: str, used: str = "") -> None:
        """Show what is being done and what it has used so far; an empty text hides the line."""
        self.used.setText(used)
        self.words.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))
        if words and not self.timer.isActive():
            self._ticks = 0
            self._time.setText("")
            self.timer.start()
        elif not words:
            self.timer.stop()

    def _turn(self) -> None:
        self._ticks += 1
        self._ring.turn = self._ticks % _TURNS / _TURNS
        self._ring.update()
        if self._ticks % _TICKS == 0:
            self._time.setText(f"{self._ticks // _TICKS} s")


class _Ring(QWidget):
    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self.turn = 0.0
        self.setFixedSize(QSize(_RING, _RING))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        painter = QPainter(self)
        paint_running_ring(painter, QRectF(self.rect()), self._kit.theme.color("agent"), self.turn)
        painter.end()
