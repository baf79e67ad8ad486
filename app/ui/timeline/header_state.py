"""What track headers show beside the song: levels, mixes that are dragged or keyed, and badges of steps."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect

from app.ui.kit.keyed_rest import KeyedRest
from app.ui.kit.track_levels import TrackLevels
from app.ui.timeline.header_painter import NAME_HEIGHT, NAME_TOP, HeaderPainter
from app.ui.timeline.header_places import curve_part_at
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look
from app.ui.timeline.tools.pan import DragPan
from app.ui.timeline.tools.track import DragTrack
from app.ui.timeline.tools.volume import DragVolume
from app.viewmodels.edits.curve_edits import Shape, curve_of, with_points
from app.viewmodels.plan.ghosts import Cause
from app.viewmodels.timeline.layout import Lane


class HeaderState:
    """State of the headers that is not in the song: levels, drags, keyboard changes not stored yet. `heard` is called
    when keys have moved a fader or a pan."""

    def __init__(self, stage: TimelineContext, look: Callable[[], Look], heard: Callable[[], None]) -> None:
        self.stage = stage
        self._look = look
        self.levels = TrackLevels()
        self.painter = HeaderPainter(stage)
        self.keyed = KeyedRest(stage.opened, stage.commit, heard)
        self.drag: DragVolume | DragPan | DragTrack | None = None

    def mix_of(self, lane: Lane) -> tuple[float, float]:
        """Volume (dB) and pan (-1 to 1) as shown: the values being dragged or set by keys, else the song's."""
        drag, track = self.drag, lane.track
        volume, pan = self.keyed.mix.of(track.id, track.volume_db, track.pan)
        if isinstance(drag, DragVolume) and drag.track == track.id:
            volume = drag.volume
        if isinstance(drag, DragPan) and drag.track == track.id:
            pan = drag.pan
        return volume, pan

    def causes_of(self, lane: Lane) -> list[Cause]:
        """The causes of the badges in a header."""
        proposed = [] if lane.proposed is None or not self.stage.overlay else [lane.proposed.cause]
        return proposed or [cause for cause, _, _ in self.painter.badges(lane, self._look()[1])]

    def badge_place(self, lane: Lane, cause: Cause, place: QRect) -> QRect:
        """The rectangle of a cause's badge in the header at rectangle `place`; `place` itself if it has none."""
        for one, left, width in self.painter.badges(lane, self._look()[1]):
            if one == cause:
                return QRect(left, place.y() + NAME_TOP, width, NAME_HEIGHT)
        return place

    def cause_at(self, lane: Lane, x: float, y: float) -> Cause | None:
        """The cause of the badge at pixel (x, y) of a header; None for none."""
        return self.painter.mark_at(lane, x, y, self._look()[1])

    def press_curve(self, lane: Lane, x: float) -> None:
        """Handle a press at pixel x of an automation row's header: hide the row, or switch the curve between linear and
        hold."""
        stage, part = self.stage, curve_part_at(x)
        if part == "hide":
            stage.unfold(lane.track.id, lane.curve, on=False)
        elif part == "shape":
            curve = curve_of(lane.track, lane.curve)
            shape: Shape = "linear" if curve.curve == "hold" else "hold"
            if curve.points:
                stage.commit(with_points(stage.song, lane.track.id, lane.curve, curve.points, shape))
