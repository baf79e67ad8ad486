"""The time of the rings of rows that run."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

_EVERY_MS = 40
_TURNS = 25
"""Steps of one time round."""


class Rings(QObject):
    """Tells how far the rings have gone round (0-1) while they turn."""

    turned = Signal(float)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._step = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self._turn)

    def turn(self, on: bool) -> None:
        """Let them turn, while a run goes on."""
        if on != self._timer.isActive():
            (self._timer.start if on else self._timer.stop)()

    def _turn(self) -> None:
        self._step = (self._step + 1) % _TURNS
        self.turned.emit(self._step / _TURNS)
