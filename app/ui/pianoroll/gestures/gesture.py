"""What every drag in the piano roll can do."""

from __future__ import annotations

from abc import ABC, abstractmethod

from PySide6.QtGui import QPainter

from agent.song.ids import NoteId
from app.ui.kit.canvas.pointing import Spot
from app.ui.pianoroll.look import Look


class Gesture(ABC):
    """One drag, from the press to the release; all that it does is one version. `words` say what letting go does."""

    words = ""
    lifted: frozenset[NoteId] = frozenset()
    """Notes that are dimmed meanwhile."""

    @abstractmethod
    def move(self, spot: Spot) -> None:
        """The pointer, or a key that matters, has changed."""

    @abstractmethod
    def release(self, spot: Spot) -> None:
        """Do it, as one edit."""

    def cancel(self) -> None:
        """Leave all as it was; nothing to take back unless a gesture says so."""
        return

    def paint(self, _painter: QPainter, _look: Look) -> None:
        """Show in the notes' area what letting go would do."""
        return
