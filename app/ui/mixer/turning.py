"""Turning parameters of one effect: heard while they turn, one edit when they rest."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.ui.kit.tasks import Coalesced
from app.ui.mixer.board import Board
from app.viewmodels.edits.effect_chain import Link, turned

HEAR_MS = 30
"""Milliseconds between two values of a drag that are played."""
REST_MS = 500
"""Milliseconds after the last key press until the values are stored in the song."""


class Turning(QObject):
    """Parameter values of one effect that the song does not have yet; `changed` is called when they change."""

    def __init__(self, board: Board, changed: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._changed = changed
        self._link: Link | None = None
        self._values: dict[str, float] = {}
        self._hear = Coalesced(HEAR_MS, self._heard, self)
        self.rest = QTimer(self)
        """Once started, stores the values if no other follows for a moment."""
        self.rest.setSingleShot(True)
        self.rest.setInterval(REST_MS)
        self.rest.timeout.connect(self.keep)

    @property
    def values(self) -> dict[str, float]:
        """The pending values by parameter name."""
        return self._values

    def turn(self, link: Link, name: str, value: float) -> None:
        """Set a parameter and play with it; pending values of another effect are stored first."""
        if self._link is not None and self._link.effect.id != link.effect.id:
            self.keep()
        self._link = link
        self._values = {**self._values, name: value}
        self._hear.ask()
        self._changed()

    def keep(self) -> None:
        """Store the pending values in the song now."""
        link, values = self._link, self._values
        self.rest.stop()
        if link is None or not values:
            return
        self._hear.now()

        def settled() -> None:
            # Values that came meanwhile are heard on.
            if self._values is values:
                self.cancel()

        self._board.commit(turned(link, values), settled)

    def cancel(self) -> bool:
        """Discard pending values and play with the song's own; returns whether there were any."""
        link, self._link, turned_any = self._link, None, bool(self._values)
        self._values = {}
        self.rest.stop()
        self._hear.drop()
        if link is not None:
            self._board.opened.playback.preview_effect(link.effect.id, None)
        self._changed()
        return turned_any

    def close_view(self) -> None:
        """Store pending values and end the timers."""
        self.keep()
        self._hear.drop()

    def _heard(self) -> None:
        if self._link is not None:
            self._board.opened.playback.preview_effect(self._link.effect.id, self._values)
