"""Dragging a section, a tempo or a time signature along the ruler."""

from __future__ import annotations

from msgspec import structs

from app.ui.canvas.tool import DRAG_FROM, PointerSpot
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tools.drag import TimelineDrag
from app.viewmodels.timeline.marks import Marker, find_mark, moved_mark, place_near, refusal


class DragMark(TimelineDrag):
    """Drags a section, tempo or meter along the ruler; `to` is the tick where it would be. Ctrl ignores the grid."""

    settles = True

    def __init__(self, stage: TimelineContext, mark: Marker, spot: PointerSpot) -> None:
        self._stage = stage
        self._x = spot.x
        # The song's own place, so that scrolling takes the mark along.
        self._at = stage.axis.at(spot.x)
        self.mark = mark
        self.to = mark.at
        self.begun = False
        """Whether it is a drag, and not a mere press."""

    def move(self, spot: PointerSpot) -> None:
        """Move the mark to the nearest grid position; `reason` says why it may not be there."""
        self.begun = self.begun or abs(spot.x - self._x) >= DRAG_FROM
        if not self.begun:
            return
        stage, song = self._stage, self._stage.song
        wanted = self.mark.at + stage.axis.at(spot.x) - self._at
        self.to = place_near(song, self.mark, wanted, stage.axis.per_beat, free=spot.free)
        self.reason = refusal(song, self.mark, self.to)
        stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Store the new position, unless the mark may not be there."""
        self.move(spot)
        if not self.begun:
            return
        if not self.reason:
            self._stage.mark = structs.replace(self.mark, at=self.to)
            self._stage.commit(moved_mark(self._stage.song, self.mark, self.to), self._settled)
        else:
            self._settled()

    def cancel(self) -> None:
        """Leave the mark where it was."""
        self._settled()

    def _settled(self) -> None:
        self.begun = False
        self.reason = ""
        self.to = self.mark.at
        self._stage.mark = find_mark(self._stage.song, self._stage.mark)
        self._stage.repaint()
