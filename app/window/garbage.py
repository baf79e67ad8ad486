"""Python's garbage is collected on the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_LOOK_EVERY = 50
"""Milliseconds."""
_THOROUGH = 4
"""All is looked through again once so many times as much is alive as at the last time."""
_OLDEST_AFTER = 3
"""Collections of the middle generation before one of the oldest; after ten, as usual, far more is looked through at
once."""
_COUNT_EVERY = 8
"""Collections of the oldest generation; counting what is alive walks through all of it."""


class Garbage(QObject):
    """Collects in place of the interpreter.

    The interpreter collects in whichever thread happens to allocate. A widget that is part of a cycle would
    then be destroyed in the database's thread, which ends the program.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        # What start-up has made stays until the end; looking through it again and again would cost frames.
        gc.freeze()
        self._alive = gc.get_freeze_count()
        self._uncounted = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Collect the oldest generation whose time has come, as the interpreter would."""
        counts, limits = gc.get_count(), (*gc.get_threshold()[:2], _OLDEST_AFTER)
        for generation in (2, 1, 0):
            if counts[generation] > limits[generation] > 0:
                self._collect(generation)
                return

    def _collect(self, generation: int) -> None:
        if generation == 2 and self._grown():
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._alive = gc.get_freeze_count()
            return
        gc.collect(generation)
        if generation == 2:
            # A song of many notes lives long; the next look leaves it out.
            gc.freeze()

    def _grown(self) -> bool:
        self._uncounted = (self._uncounted + 1) % _COUNT_EVERY
        return not self._uncounted and gc.get_freeze_count() > self._alive * _THOROUGH

    def end(self) -> None:
        """Let the interpreter collect again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
