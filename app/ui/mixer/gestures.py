"""Moving a fader and a pan: heard at once, one edit on release."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from agent.song.ids import TrackId
from app.desktop.edits.clip_edits import HandEdit
from app.desktop.edits.mixing import FINE, fader_share, fader_volume, held_pan, held_volume, with_mix
from app.desktop.edits.strip_facts import Strip
from app.ui.mixer.board import Board


class StripDrag(Protocol):
    """A drag within one strip; `volume` and `pan` are what the strip shows meanwhile."""

    settles: bool
    track: TrackId
    volume: float
    pan: float

    def move(self, dx: float, dy: float, *, fine: bool) -> None:
        """Hear the handle so many pixels from where it was taken."""

    def release(self, settled: Callable[[], None]) -> None:
        """Keep it, if it was moved; `settled` is called when the song has it."""

    def cancel(self) -> None:
        """Hear the song's own value again."""


class _Drag:
    settles = True

    def __init__(self, board: Board, strip: Strip) -> None:
        self._board = board
        self._moved = False
        self.track, self.volume, self.pan = strip.track, strip.volume_db, strip.pan

    def cancel(self) -> None:
        self._board.opened.playback.preview_mix(self.track, None, None)

    def _keep(self, volume: float | None, pan: float | None, settled: Callable[[], None]) -> None:
        def done() -> None:
            self.cancel()
            settled()

        moved = self._moved
        self._board.commit(with_mix(self._board.song, self.track, volume, pan) if moved else HandEdit(), done)


class DragFader(_Drag):
    """The way of the fader is `way` pixels long."""

    def __init__(self, board: Board, strip: Strip, way: int) -> None:
        super().__init__(board, strip)
        self._from, self._way = fader_share(strip.volume_db), max(1, way)

    def move(self, dx: float, dy: float, *, fine: bool) -> None:  # noqa: ARG002
        if dy or self._moved:
            self._moved = True
            self.volume = held_volume(fader_volume(self._from - dy / self._way * (FINE if fine else 1.0)))
            self._board.opened.playback.preview_mix(self.track, self.volume, None)

    def release(self, settled: Callable[[], None]) -> None:
        self._keep(self.volume, None, settled)


class DragPan(_Drag):
    """The way of the pan is `way` pixels long."""

    def __init__(self, board: Board, strip: Strip, way: int) -> None:
        super().__init__(board, strip)
        self._from, self._way = strip.pan, max(1, way)

    def move(self, dx: float, dy: float, *, fine: bool) -> None:  # noqa: ARG002
        if dx or self._moved:
            self._moved = True
            self.pan = held_pan(self._from + 2 * dx / self._way * (FINE if fine else 1.0))
            self._board.opened.playback.preview_mix(self.track, None, self.pan)

    def release(self, settled: Callable[[], None]) -> None:
        self._keep(None, self.pan, settled)
