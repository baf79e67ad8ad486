"""Volume and pan that keys move: heard at once, and in the song once the keys rest."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from agent.song.ids import TrackId
from agent.song.track import Track
from app.desktop.edits.clip_edits import find_track
from app.desktop.edits.mixing import held_pan, held_volume, with_mix
from app.ui.timeline.stage import Stage

KEYS_REST_MS = 500
"""So long after the last key the new place goes into the song, as one version."""


class Keyed:
    """What keys have set on the current track; `changed` is called at each key."""

    def __init__(self, stage: Stage, widget: QWidget, changed: Callable[[], None]) -> None:
        self._stage = stage
        self._changed = changed
        self._volumes: dict[TrackId, float] = {}
        self._pans: dict[TrackId, float] = {}
        self._rest = QTimer(widget)
        self._rest.setSingleShot(True)
        self._rest.setInterval(KEYS_REST_MS)
        self._rest.timeout.connect(self._keep)

    def of(self, track: Track) -> tuple[float, float]:
        """Volume and pan as keys have left them, else the song's."""
        return self._volumes.get(track.id, track.volume_db), self._pans.get(track.id, track.pan)

    @property
    def waiting(self) -> bool:
        """Whether keys have set something that the song does not know yet."""
        return self._rest.isActive()

    def nudge_volume(self, by: float) -> None:
        """Move the fader by so many decibels."""
        track = self._current()
        if track is not None:
            self._volumes[track.id] = held_volume(self.of(track)[0] + by)
            self._hear(track.id)

    def nudge_pan(self, by: float) -> None:
        """Move the pan."""
        track = self._current()
        if track is not None:
            self._pans[track.id] = held_pan(self.of(track)[1] + by)
            self._hear(track.id)

    def close(self) -> None:
        """Keep what the keys have set, and end the timer."""
        if self._rest.isActive():
            self._rest.stop()
            self._keep()

    def _current(self) -> Track | None:
        return find_track(self._stage.song, self._stage.opened.focus.track.value)

    def _hear(self, track: TrackId) -> None:
        self._stage.opened.playback.preview_mix(track, self._volumes.get(track), self._pans.get(track))
        self._rest.start()
        self._changed()

    def _keep(self) -> None:
        volumes, pans = self._volumes, self._pans
        self._volumes, self._pans = {}, {}
        for track in {**volumes, **pans}:
            def settled(track: TrackId = track) -> None:
                self._stage.opened.playback.preview_mix(track, None, None)
            self._stage.commit(with_mix(self._stage.song, track, volumes.get(track), pans.get(track)), settled)
