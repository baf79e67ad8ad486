"""Drags in the ruler that choose bars or move the edges of a section."""

from __future__ import annotations

from agent.song.ids import SectionId
from app.ui.canvas.tool import DRAG_FROM, PointerSpot
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tools.drag import TimelineDrag
from app.viewmodels.edits.frame_edits import find_section, moved_section


class ChooseBars(TimelineDrag):
    """Chooses whole bars from the press to the pointer; a click without a drag chooses none."""

    def __init__(self, stage: TimelineContext, spot: PointerSpot) -> None:
        self._stage = stage
        self._x = spot.x
        self._first = stage.bar_at(spot.x)
        self._before = stage.opened.focus.bars.value
        self._begun = False

    def move(self, spot: PointerSpot) -> None:
        """Choose the bars up to the pointer."""
        self._begun = self._begun or abs(spot.x - self._x) >= DRAG_FROM
        if self._begun:
            first, last = sorted((self._first, self._stage.bar_at(spot.x)))
            self._stage.opened.focus.bars.set((first, last))

    def release(self, spot: PointerSpot) -> None:
        """Keep the bars chosen."""
        self.move(spot)

    def cancel(self) -> None:
        """Restore the bars chosen before."""
        self._stage.opened.focus.bars.set(self._before)


class DragSectionEdge(TimelineDrag):
    """Moves the left edge of a section if `left`, else the right one; `start` and `end` (ticks) are where the section
    would lie."""

    def __init__(self, stage: TimelineContext, section: SectionId, *, left: bool) -> None:
        found = find_section(stage.song, section)
        assert found is not None
        self._stage = stage
        self._left = left
        self.section = section
        self.start, self.end = int(found.start), int(found.end)
        self._begun = False

    def move(self, spot: PointerSpot) -> None:
        """Move the edge to the nearest grid position; the section keeps at least some length."""
        at = self._stage.snap(self._stage.axis.at(spot.x), spot.free)
        self._begun = True
        if self._left:
            self.start = at if at < self.end else self.start
        else:
            self.end = at if at > self.start else self.end
        self._stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Store the section's new range."""
        if self._begun:
            self.move(spot)
            self._stage.commit(moved_section(self._stage.song, self.section, self.start, self.end))
