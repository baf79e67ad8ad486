"""Lengthening and shortening clips at their right edge."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from agent.song.ids import ClipId
from agent.song.time import Ticks
from app.desktop.clip_edits import chosen, resized
from app.desktop.timeline_words import length_in_words
from app.ui.timeline.fonts import Fonts
from app.ui.timeline.gestures.clips import paint_places
from app.ui.timeline.gestures.gesture import Gesture
from app.ui.timeline.scene import Item
from app.ui.timeline.stage import Spot, Stage
from app.ui.timeline.tones import Tones


class ResizeClips(Gesture):
    """Drags the right edge of a clip; the others of the selection follow by the same length."""

    def __init__(self, stage: Stage, grabbed: Item, spot: Spot) -> None:
        self._stage = stage
        self._grabbed = grabbed
        self._from = spot
        self._clips: frozenset[ClipId] = stage.opened.focus.clips.value
        self._by = 0

    def move(self, spot: Spot) -> None:
        """Find the nearest end that the grid allows; at least a tick stays."""
        if spot.x == self._from.x:
            return
        axis, clip = self._stage.axis, self._grabbed.clip
        end = self._stage.snap(clip.end + axis.at(spot.x) - axis.at(self._from.x), spot.free)
        if end <= clip.start and not spot.free:
            end = min(clip.end, clip.start + 240)
        self._by = max(clip.start + 1, end) - clip.end
        self.words = length_in_words(self._stage.song.bar_map, clip.start, clip.duration + self._by)
        self._stage.repaint()

    def release(self, spot: Spot) -> None:
        """Give the clips their new length."""
        self.move(spot)
        self._stage.commit(resized(self._stage.song, self._clips, self._by), self._settled)

    def paint(self, painter: QPainter, tones: Tones, fonts: Fonts) -> None:
        """The clips' outlines at their new length."""
        scene = self._stage.scene
        places = [
            (scene.lane_of(track.id) or 0, clip.start, Ticks(max(1, clip.duration + self._by)))
            for track, clip in chosen(scene.song, self._clips)
        ]
        if self._by:
            paint_places(painter, self._stage, places, tones, fonts)

    def _settled(self) -> None:
        self._by = 0
