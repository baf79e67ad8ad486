"""Python's garbage is collected on the window's thread alone, in looks that are short while anything goes on."""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_LOOK_EVERY = 50
"""Milliseconds between two checks."""
YOUNG = 700
"""Number of new objects from which they are collected. This and the next two bound what one collection visits, at 0.1
to 0.5 µs an object."""
MIDDLE = 8_000
OLD = 40_000
WORTH = 200_000
"""Number of settled objects from which a full collection is worth it; also at least as many as were alive after the
last one."""
_FAR = 3
"""Multiple of that from which a full collection runs even if the window is busy, for the sake of memory."""


class Garbage(QObject):
    """Collects cyclic garbage on the window's thread, in place of the interpreter.

    The interpreter collects in whichever thread happens to allocate. A widget that is part of a cycle would then be
    destroyed in the database's thread, which crashes. Python can visit a generation only as a whole, so generations are
    kept small: what has outlived `OLD` other objects counts as settled and is frozen. Garbage among it is found by a
    full collection, which takes a tenth of a second and waits until `idle()`."""

    def __init__(self, parent: QObject, idle: Callable[[], bool]) -> None:
        super().__init__(parent)
        gc.disable()
        self._idle = idle
        # How many objects can be in the two generations that are kept, and how many have settled since the last look
        # through all; fewer if some have ended by themselves.
        self._middle = self._old = self._settled = 0
        self._alive = 0
        self.settle()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def settle(self) -> None:
        """Exclude all existing objects from collection: what start-up has made and imported stays until the end."""
        gc.freeze()
        self._middle = self._old = self._settled = 0
        self._alive = gc.get_freeze_count()

    def look(self) -> None:
        """Collect the generations of objects that are due."""
        young, idle = gc.get_count()[0], self._idle()
        if self._due(idle):
            self._look_through_all()
        elif self._old + self._middle + young > OLD:
            # Never by listing objects: a tuple that another thread just fills must not be held by anyone else.
            self._settled += self._old + self._middle + young - gc.collect(2)
            gc.freeze()
            self._middle = self._old = 0
        elif self._middle + young > MIDDLE:
            gc.collect(1)
            self._old += self._middle + young
            self._middle = 0
        elif young > YOUNG:
            gc.collect(0)
            self._middle += young

    def _due(self, idle: bool) -> bool:
        """Whether all is to be looked through now."""
        limit = max(WORTH, self._alive) * (1 if idle else _FAR)
        if self._settled > limit:
            # What has ended by itself was counted too; so much may not be there.
            self._settled = max(0, gc.get_freeze_count() - self._alive)
        return self._settled > limit

    def _look_through_all(self) -> None:
        gc.unfreeze()
        gc.collect()
        self.settle()

    def end(self) -> None:
        """Hand collection back to the interpreter."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
