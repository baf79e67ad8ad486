"""Moving a fader."""

from __future__ import annotations

from agent.song.ids import TrackId
from app.i18n import tr
from app.ui.canvas.tool import PointerSpot
from app.ui.timeline.measures import SLIDER_LEFT, SLIDER_RIGHT
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tools.drag import TimelineDrag
from app.viewmodels.edits.clip_edits import find_track
from app.viewmodels.edits.mixing import FINE, fader_share, fader_volume, held_volume, with_mix
from app.viewmodels.texts.figures import decibels

KNOB_REACH = 4


def volume_at(x: float) -> float:
    """The volume in dB at pixel x of the header's fader."""
    return fader_volume((x - SLIDER_LEFT) / (SLIDER_RIGHT - SLIDER_LEFT))


def x_of_volume(volume: float) -> float:
    """Pixel x of the header's fader at a volume in dB."""
    return SLIDER_LEFT + fader_share(volume) * (SLIDER_RIGHT - SLIDER_LEFT)


class DragVolume(TimelineDrag):
    """Drags a fader, audibly; the song changes once, on release. Ctrl moves finely."""

    def __init__(self, stage: TimelineContext, track: TrackId, spot: PointerSpot) -> None:
        found = find_track(stage.song, track)
        assert found is not None
        self._stage = stage
        self.track = track
        self._from = spot.x
        self._knob = x_of_volume(found.volume_db)
        # A press beside the knob brings it there.
        if abs(self._knob - spot.x) > KNOB_REACH:
            self._knob = spot.x
        self.volume = found.volume_db
        self._begun = False

    def move(self, spot: PointerSpot) -> None:
        """Set the volume from the pointer and play with it."""
        x = self._knob + (spot.x - self._from) * (FINE if spot.free else 1.0)
        self._begun = self._begun or spot.x != self._from or self._knob == self._from
        if not self._begun:
            return
        self.volume = held_volume(volume_at(x))
        self.words = tr("{level} dB", level=decibels(self.volume))
        self._stage.opened.playback.preview_mix(self.track, self.volume, None)
        self._stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Store the volume in the song."""
        self.move(spot)
        if self._begun:
            self._stage.commit(with_mix(self._stage.song, self.track, self.volume, None), self.cancel)

    def cancel(self) -> None:
        """Play with the song's own volume again."""
        self._stage.opened.playback.preview_mix(self.track, None, None)
