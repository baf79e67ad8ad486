"""Adding and moving a point of an automation curve."""

from __future__ import annotations

from agent.song.ids import TrackId
from agent.song.time import Ticks
from agent.song.track import Automation
from app.ui.canvas.tool import DRAG_FROM, PointerSpot
from app.ui.timeline.measures import CURVE_INSET
from app.ui.timeline.scene import CurveRow
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tools.drag import TimelineDrag
from app.viewmodels.edits.curve_edits import curve_of, value_words, with_point, with_points


class DragPoint(TimelineDrag):
    """Drags an automation point, or the one that the press has added (`old` is None then); the song changes once, on
    release. Ctrl ignores the grid."""

    settles = True

    def __init__(self, stage: TimelineContext, row: CurveRow, spot: PointerSpot, old: Ticks | None) -> None:
        self._stage = stage
        self._row = row
        self._from = spot
        self._old = old
        self._begun = old is None
        self._curve: Automation = curve_of(row.track, row.target.target)
        self.shown = self._curve
        """The curve as it would be."""
        self.active = True
        """Whether `shown` stands for the song's own curve."""
        self.move(spot)

    @property
    def of(self) -> tuple[TrackId, str]:
        """Track and target of the curve."""
        return self._row.track.id, self._row.target.target

    def move(self, spot: PointerSpot) -> None:
        """Move the point to the pointer."""
        self._begun = self._begun or abs(spot.x - self._from.x) + abs(spot.y - self._from.y) >= DRAG_FROM
        if not self._begun:
            return
        stage, target = self._stage, self._row.target
        at = Ticks(stage.snap(stage.axis.at(spot.x), spot.free))
        value = target.value(self._share(spot))
        points = with_point(self._curve.points, self._old, at, value)
        self.shown = Automation(target.target, points, self._curve.curve)
        self.words = value_words(self._row.track, target, value, stage.opened.studio.palette)
        stage.point = (*self.of, at)
        stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Store the changed curve."""
        self.move(spot)
        if self._begun:
            self._stage.commit(with_points(self._stage.song, *self.of, self.shown.points, None), self._settled)

    def cancel(self) -> None:
        """Leave the curve as it was."""
        self._settled()
        self._stage.point = None if self._old is None else (*self.of, self._old)

    def _settled(self) -> None:
        self.active = False

    def _share(self, spot: PointerSpot) -> float:
        axis = self._stage.axis
        inside = spot.y - axis.row_top(self._row.lane) - CURVE_INSET
        return 1 - inside / (axis.row_height - 2 * CURVE_INSET - 1)
