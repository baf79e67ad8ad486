"""The line above the request box that shows what is being done."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.ui.kit.context import Kit
from app.ui.kit.icons import paint_running_ring
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel

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
