"""Values that keys move: heard at once, in the song when the keys rest."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer

from agent.song.ids import TrackId
from app.desktop.edits.mixing import held_pan, held_volume, with_mix
from app.desktop.edits.strip_facts import Strip
from app.ui.mixer.board import Board

REST_MS = 500
"""So long after the last key the values go into the song, as one version for each track."""


class Keyed(QObject):
    """Volume and pan of tracks that keys have moved and the song does not know yet."""

    def __init__(self, board: Board, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._values: dict[TrackId, tuple[float | None, float | None]] = {}
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.keep)

    def of(self, strip: Strip) -> tuple[float, float]:
        """Volume and pan as they are shown."""
        volume, pan = self._values.get(strip.track, (None, None))
        return strip.volume_db if volume is None else volume, strip.pan if pan is None else pan

    def nudge(self, strip: Strip, *, volume: float = 0.0, pan: float = 0.0) -> None:
        """Move the fader by decibels, or the pan."""
        old_volume, old_pan = self._values.get(strip.track, (None, None))
        now_volume, now_pan = self.of(strip)
        if volume:
            old_volume = held_volume(now_volume + volume)
        if pan:
            old_pan = held_pan(now_pan + pan)
        self._values[strip.track] = old_volume, old_pan
        self._board.opened.playback.preview_mix(strip.track, old_volume, old_pan)
        self._rest.start()

    @property
    def waiting(self) -> bool:
        """Whether the song does not know yet."""
        return self._rest.isActive()

    def drop(self) -> bool:
        """Let the values go back; whether there were any."""
        values, self._values = self._values, {}
        self._rest.stop()
        for track in values:
            self._board.opened.playback.preview_mix(track, None, None)
        return bool(values)

    def keep(self) -> None:
        """Put them into the song now."""
        self._rest.stop()
        for track, (volume, pan) in tuple(self._values.items()):
            self._board.commit(with_mix(self._board.song, track, volume, pan), partial(self._settled, track))

    def _settled(self, track: TrackId) -> None:
        # Keys that came meanwhile wait for their own rest.
        if not self._rest.isActive():
            self._values.pop(track, None)
            self._board.opened.playback.preview_mix(track, None, None)
