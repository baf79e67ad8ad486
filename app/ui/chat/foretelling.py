"""What sending a request would use of a model, shown while it is typed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from PySide6.QtCore import QObject, QTimer

from agent.errors import BandleaderError
from agent.plan.document import Estimate
from app.ui.chat.request_box import RequestBox
from app.ui.kit.context import Kit
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
