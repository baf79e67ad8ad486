"""Dragging a track to another place among the others."""

from __future__ import annotations

from agent.song.ids import TrackId
from app.ui.canvas.tool import DRAG_FROM, PointerSpot
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tools.drag import TimelineDrag
from app.viewmodels.edits.track_edits import placed_track


class DragTrack(TimelineDrag):
    """Drags a track header up or down; `gap` is the row above which a line shows where the track would go, None before
    the drag begins."""

    def __init__(self, stage: TimelineContext, track: TrackId, spot: PointerSpot) -> None:
        self._stage = stage
        self.track = track
        self._from = spot.y
        self.gap: int | None = None

    def move(self, spot: PointerSpot) -> None:
        """Find the nearest gap between two tracks."""
        if self.gap is None and abs(spot.y - self._from) < DRAG_FROM:
            return
        axis, lanes = self._stage.axis, self._stage.scene.lanes
        gap = max(0, min(len(lanes), round((spot.y + axis.top) / axis.row_height)))
        # Curves stay with their track.
        while gap < len(lanes) and lanes[gap].curve:
            gap += 1
        self.gap = gap
        self._stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Move the track there."""
        self.move(spot)
        if self.gap is None:
            return
        before = [lane.track.id for lane in self._stage.scene.lanes[:self.gap] if lane.in_song and not lane.curve]
        place = len([track for track in before if track != self.track])
        self.gap = None
        self._stage.commit(placed_track(self._stage.song, self.track, place))
