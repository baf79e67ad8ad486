"""What keys do with the chosen point of an automation curve."""

from __future__ import annotations

from agent.song.ids import TrackId
from agent.song.time import Ticks
from agent.song.track import Track
from app.ui.timeline.commands import RevealTick
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.clip_edits import find_track
from app.viewmodels.edits.curve_edits import curve_of, target_of, with_point, with_points
from app.viewmodels.timeline.layout import moved_by


class PointActions:
    """Keyboard actions on the chosen automation point; without one they do nothing and return False."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage

    @property
    def there(self) -> bool:
        """Whether an automation point of an existing track is chosen."""
        return self._point()[1] is not None

    def choose(self, by: int) -> bool:
        """Choose the next (1) or previous (-1) point of the curve; returns False if no point is chosen."""
        point, track = self._point()
        if point is None or track is None:
            return False
        places = [one.at for one in curve_of(track, point[1]).points]
        if places:
            at = places.index(point[2]) + by if point[2] in places else 0
            self._stage.point = (*point[:2], places[max(0, min(len(places) - 1, at))])
            self._stage.ask(RevealTick(self._stage.point[2]))
            self._stage.repaint()
        return True

    def change(self, *, steps: int = 0, rise: int = 0) -> bool:
        """Move the chosen point by `steps` of the grid and `rise` hundredths of its value range; returns False if no
        point is chosen."""
        point, track = self._point()
        if point is None or track is None:
            return False
        stage = self._stage
        target = target_of(track, point[1], stage.opened.studio.palette)
        curve = curve_of(track, point[1])
        old = next((one for one in curve.points if one.at == point[2]), None)
        if target is None or old is None:
            return True
        at = moved_by(stage.song.bar_map, old.at, steps, stage.axis.per_beat) if steps else old.at
        value = target.value(target.share(old.value) + rise / 100) if rise else old.value
        stage.point = (*point[:2], at)
        points = with_point(curve.points, old.at, at, value)
        stage.commit(with_points(stage.song, point[0], point[1], points, None))
        return True

    def delete(self) -> bool:
        """Delete the chosen point; returns False if none is chosen."""
        point, track = self._point()
        if point is None or track is None:
            return False
        rest = [one for one in curve_of(track, point[1]).points if one.at != point[2]]
        self._stage.point = None
        self._stage.commit(with_points(self._stage.song, point[0], point[1], rest, None))
        return True

    def _point(self) -> tuple[tuple[TrackId, str, Ticks] | None, Track | None]:
        point = self._stage.point
        return point, None if point is None else find_track(self._stage.song, point[0])
