"""Lengthening and shortening clips at one of their edges."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from agent.song.ids import ClipId
from agent.song.time import Ticks
from app.ui.canvas.tool import PointerSpot
from app.ui.timeline.scene import SceneItem
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look
from app.ui.timeline.tools.clips import paint_places
from app.ui.timeline.tools.drag import TimelineDrag
from app.viewmodels.edits.clip_edits import HandEdit, chosen, resized, resized_left
from app.viewmodels.texts.places import length_in_words
from app.viewmodels.timeline.words import drop_in_words

LEAST = 240
"""Shortest clip in ticks that a drag on the grid makes."""


class ResizeClips(TimelineDrag):
    """Drags the right edge of a clip, or with `left` the left one; the other selected clips change by the same length.
    Notes keep their position in the song; those that no longer fit are cut."""

    settles = True

    def __init__(self, stage: TimelineContext, grabbed: SceneItem, spot: PointerSpot, *, left: bool = False) -> None:
        self._stage = stage
        self._grabbed = grabbed
        self._x = spot.x
        # The song's own place, so that scrolling takes the edge along.
        self._at = stage.axis.at(spot.x)
        self._left = left
        self._clips: frozenset[ClipId] = stage.opened.focus.clips.value
        self._by = 0

    def move(self, spot: PointerSpot) -> None:
        """Move the edge to the nearest grid position; each clip keeps at least a tick."""
        if spot.x == self._x:
            return
        axis, clip, bars = self._stage.axis, self._grabbed.clip, self._stage.song.bar_map
        edge = clip.start if self._left else clip.end
        at = self._stage.snap(edge + axis.at(spot.x) - self._at, spot.free)
        if self._left:
            if at >= clip.end and not spot.free:
                at = max(clip.start, clip.end - LEAST)
            self._by = min(clip.end - 1, at) - clip.start
            self.words = drop_in_words(bars, Ticks(clip.start + self._by), clip.duration - self._by)
        else:
            if at <= clip.start and not spot.free:
                at = min(clip.end, clip.start + LEAST)
            self._by = max(clip.start + 1, at) - clip.end
            self.words = length_in_words(bars, clip.start, clip.duration + self._by)
        self._stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Give the clips their new length."""
        self.move(spot)
        self._stage.commit(self.edit(), self._settled)

    def edit(self) -> HandEdit:
        """The edit that a release would make."""
        change = resized_left if self._left else resized
        return change(self._stage.song, self._clips, self._by)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Paint the clips' outlines at their new length."""
        tones, fonts = look
        scene = self._stage.scene
        places = []
        for track, clip in chosen(scene.song, self._clips):
            lane = scene.lane_of(track.id) or 0
            if self._left:
                by = max(-clip.start, min(clip.duration - 1, self._by))
                places.append((lane, Ticks(clip.start + by), clip.duration - by))
            else:
                places.append((lane, clip.start, Ticks(max(1, clip.duration + self._by))))
        if self._by:
            paint_places(painter, self._stage, places, tones, fonts)

    def _settled(self) -> None:
        self._by = 0
