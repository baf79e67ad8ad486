"""Volume and pan set by keys are stored in the song once no key follows for a moment."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from agent.song.ids import TrackId
from app.viewmodels.edits.clip_edits import HandEdit
from app.viewmodels.edits.keyed_mix import KeyedMix
from app.viewmodels.open_project import OpenProject

REST_MS = 500
"""Milliseconds after the last key press until the values are stored in the song, as one version for each track."""


class KeyedRest(QObject):
    """Volumes and pans of one view that keys have moved and the song does not have yet; `changed` is called when the
    shown values change. `commit` stores an edit, see `KeyedMix`."""

    def __init__(
        self, opened: OpenProject, commit: Callable[[HandEdit, Callable[[], None]], None],
        changed: Callable[[], None], parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self._changed: Callable[[], None] | None = changed
        self.mix = KeyedMix(self._hear, commit)
        self.rest = QTimer(self)
        """Runs while values set by keys are not sent to the song yet."""
        self.rest.setSingleShot(True)
        self.rest.setInterval(REST_MS)
        self.rest.timeout.connect(self.keep)

    def nudge(self, track: TrackId, now: tuple[float, float], *, volume: float = 0.0, pan: float = 0.0) -> None:
        """Move a track's volume by decibels or its pan; `now` is volume and pan in the song."""
        self.mix.nudge(track, now, volume=volume, pan=pan)
        self.rest.start()

    def drop(self) -> bool:
        """Discard values set by keys; returns whether there were any."""
        self.rest.stop()
        return self.mix.drop()

    def keep(self) -> None:
        """Store values set by keys in the song now."""
        self.rest.stop()
        self.mix.keep(self._opened.workspace.song)

    def close(self) -> None:
        """Store values set by keys, and call `changed` no more."""
        self._changed = None
        self.keep()

    def _hear(self, track: TrackId, volume: float | None, pan: float | None) -> None:
        self._opened.playback.preview_mix(track, volume, pan)
        if self._changed is not None:
            self._changed()
