"""Moving a track's pan."""

from __future__ import annotations

from agent.song.ids import TrackId
from app.ui.canvas.tool import PointerSpot
from app.ui.timeline.measures import PAN_LEFT, PAN_RIGHT
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tools.drag import TimelineDrag
from app.viewmodels.edits.clip_edits import find_track
from app.viewmodels.edits.mixing import FINE, held_pan, pan_in_words, with_mix

CATCH = 0.06
"""Distance from the centre (pan value) within which the pan snaps to it."""


def x_of_pan(pan: float) -> float:
    """Pixel of the header at which a pan (-1 to 1) stands."""
    return PAN_LEFT + (max(-1.0, min(1.0, pan)) + 1) / 2 * (PAN_RIGHT - PAN_LEFT)


class DragPan(TimelineDrag):
    """Drags a pan, audibly; the song changes once, on release. Ctrl moves finely."""

    def __init__(self, stage: TimelineContext, track: TrackId, spot: PointerSpot) -> None:
        found = find_track(stage.song, track)
        assert found is not None
        self._stage = stage
        self.track = track
        self._from = spot.x
        self._was = found.pan
        self.pan = found.pan
        self._begun = False

    def move(self, spot: PointerSpot) -> None:
        """Set the pan from the pointer and play with it."""
        self._begun = self._begun or spot.x != self._from
        if not self._begun:
            return
        way = (spot.x - self._from) * (FINE if spot.free else 1.0)
        pan = held_pan(self._was + 2 * way / (PAN_RIGHT - PAN_LEFT))
        self.pan = 0.0 if abs(pan) < CATCH and not spot.free else pan
        self.words = pan_in_words(self.pan)
        self._stage.opened.playback.preview_mix(self.track, None, self.pan)
        self._stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Store the pan in the song."""
        self.move(spot)
        if self._begun:
            self._stage.commit(with_mix(self._stage.song, self.track, None, self.pan), self.cancel)

    def cancel(self) -> None:
        """Play with the song's own pan again."""
        self._stage.opened.playback.preview_mix(self.track, None, None)
