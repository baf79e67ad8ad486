"""Turning parameters of one effect: heard while they turn, one edit when they rest."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.desktop.edits.effect_chain import Link, turned
from app.ui.kit.tasks import Coalesced
from app.ui.mixer.board import Board

HEAR_MS = 30
"""Between two values of a drag that are heard."""
REST_MS = 500
"""So long after the last key the values go into the song."""


class Turning(QObject):
    """Values of an effect that the song does not know yet; `changed` is called when they are others."""

    def __init__(self, board: Board, changed: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._changed = changed
        self._link: Link | None = None
        self._values: dict[str, float] = {}
        self._hear = Coalesced(HEAR_MS, self._heard, self)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.keep)

    @property
    def values(self) -> dict[str, float]:
        """The values that are turned now."""
        return self._values

    def turn(self, link: Link, name: str, value: float) -> None:
        """Hear a parameter at a value."""
        if self._link is not None and self._link.effect.id != link.effect.id:
            self.keep()
        self._link = link
        self._values = {**self._values, name: value}
        self._hear.ask()
        self._changed()

    def rest_soon(self) -> None:
        """Keep the values once no other follows for a moment."""
        self._rest.start()

    def keep(self) -> None:
        """Put the values into the song."""
        link, values = self._link, self._values
        self._rest.stop()
        if link is None or not values:
            return
        self._hear.now()

        def settled() -> None:
            # Values that came meanwhile are heard on.
            if self._values is values:
                self.cancel()

        self._board.commit(turned(link, values), settled)

    def cancel(self) -> bool:
        """Hear the song's own values again; whether others were heard."""
        link, self._link, turned_any = self._link, None, bool(self._values)
        self._values = {}
        self._rest.stop()
        self._hear.drop()
        if link is not None:
            self._board.opened.playback.preview_effect(link.effect.id, None)
        self._changed()
        return turned_any

    def close_view(self) -> None:
        """Keep what was turned, and end the timers."""
        self.keep()
        self._hear.drop()

    def _heard(self) -> None:
        if self._link is not None:
            self._board.opened.playback.preview_effect(self._link.effect.id, self._values)
