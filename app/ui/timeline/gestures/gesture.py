"""What every drag on the timeline can do."""

from __future__ import annotations

from abc import ABC, abstractmethod

from PySide6.QtGui import QPainter

from app.ui.canvas.tool import Spot
from app.ui.timeline.fonts import Fonts
from app.ui.timeline.tones import Tones


class Gesture(ABC):
    """One drag, from the press to the release.

    `words` say what letting go would do, `reason` why it would do nothing.
    """

    words = ""
    reason = ""
    settles = False
    """Whether it is painted after the release, until the song has its edit."""

    @abstractmethod
    def move(self, spot: Spot) -> None:
        """The pointer, or a key that matters, has changed."""

    @abstractmethod
    def release(self, spot: Spot) -> None:
        """Do it, as one edit."""

    def cancel(self) -> None:
        """Leave all as it was; nothing to take back unless a gesture says so."""
        return

    def paint(self, _painter: QPainter, _tones: Tones, _fonts: Fonts) -> None:
        """Show what letting go would do; some gestures show it by other means."""
        return
