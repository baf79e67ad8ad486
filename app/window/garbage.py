"""Python's garbage is collected on the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_LOOK_EVERY = 250
"""Milliseconds."""


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
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Collect the oldest generation whose time has come, as the interpreter would."""
        counts, limits = gc.get_count(), gc.get_threshold()
        for generation in (2, 1, 0):
            if counts[generation] > limits[generation] > 0:
                gc.collect(generation)
                return

    def end(self) -> None:
        """Let the interpreter collect again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
