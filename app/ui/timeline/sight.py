"""What of the song is in sight: zoom, scroll, and the height of lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from agent.song.time import PPQ
from app.desktop.timeline.lanes import LaneSize, lane_height
from app.desktop.timeline.layout import TAIL_BARS, end_of
from app.ui.timeline.measures import CLIP_BOTTOM, CLIP_TOP, ZOOM_STEP

if TYPE_CHECKING:
    from app.ui.timeline.area import TimelineArea

MARGIN = 24


class Sight:
    """Moves the scroll bars of a timeline, and sets its zoom."""

    def __init__(self, view: TimelineArea) -> None:
        self._view = view
        self._stage = view.stage

    def zoom(self, per_beat: float, x: float) -> None:
        """Zoom so that what lies at a pixel stays there."""
        axis, view = self._stage.axis, self._view
        at = axis.at(x)
        axis.per_beat = axis.zoomed(per_beat)
        view.sync_range()
        bar = view.horizontalScrollBar()
        bar.setValue(round(at / PPQ * axis.per_beat - x))
        axis.left = bar.value()
        view.repaint_lanes()

    def zoom_step(self, steps: int) -> None:
        """Zoom around the playhead if it can be seen, else around the middle."""
        x = self._stage.axis.x(self._stage.opened.playback.position())
        width = self._view.viewport().width()
        self.zoom(self._stage.axis.per_beat * ZOOM_STEP**steps, x if 0 <= x <= width else width / 2)

    def zoom_song(self) -> None:
        """All bars of the song, without the empty ones behind it."""
        scene, song = self._stage.scene, self._stage.song
        bars = song.bar_map
        end = bars.start_of(max(TAIL_BARS, bars.count(end_of(song, scene.ghosts))) + 1)
        self._stage.axis.left = 0
        self.zoom((self._view.viewport().width() - 2) / (end / PPQ), 0)

    def zoom_selection(self) -> None:
        """What is selected, as near as it fits, with a little room around it; without anything the whole song."""
        span = self._view.acts.selected_span() or self._view.acts.bars_span()
        if span is None:
            self.zoom_song()
            return
        width = self._view.viewport().width()
        around = min(MARGIN, width // 10)
        axis = self._stage.axis
        axis.per_beat = axis.zoomed((width - 2 * around) / ((span[1] - span[0]) / PPQ))
        self._view.sync_range()
        self._view.horizontalScrollBar().setValue(round(axis.x(span[0])) + axis.left - around)
        axis.left = self._view.horizontalScrollBar().value()
        self._view.repaint_lanes()

    def set_lanes(self, size: LaneSize) -> None:
        """Give the lanes of this project another height, now and later."""
        self._stage.lane_choice.size.set(size)
        self._stage.kit.tasks.start(self._stage.lane_choice.keep(), "timeline")

    def fit_lanes(self) -> None:
        """Let the lanes have the height that was chosen, or that fits the window; the uppermost one stays."""
        axis, view = self._stage.axis, self._view
        window = view.window().size()
        height = lane_height(self._stage.lane_choice.size.value, window.width(), window.height())
        if height == axis.row_height:
            return
        lane = axis.top // axis.row_height
        axis.row_height = height
        view.sync_range()
        view.verticalScrollBar().setValue(lane * height)
        axis.top = view.verticalScrollBar().value()
        self._stage.repaint()

    def reveal_step(self, step: str | None) -> None:
        """Scroll to the first thing that a step makes, unless one can be seen."""
        scene, axis = self._stage.scene, self._stage.axis
        made = [
            (lane, ghost) for lane, row in enumerate(scene.lanes) for ghost in row.ghosts
            if step in ghost.cause.steps
        ]
        area = self._view.viewport().rect()
        for lane, ghost in made:
            place = QRect(
                round(axis.x(ghost.clip.start)), axis.row_top(lane) + CLIP_TOP,
                max(2, round(axis.x(ghost.clip.end) - axis.x(ghost.clip.start))),
                axis.row_height - CLIP_TOP - CLIP_BOTTOM,
            )
            if place.intersects(area):
                return
        if made:
            self.reveal(made[0][1].clip.start, made[0][1].clip.end, made[0][0])

    def reveal_lane(self, lane: int) -> None:
        """Scroll so that a lane can be seen."""
        axis, bar = self._stage.axis, self._view.verticalScrollBar()
        top = lane * axis.row_height
        height = self._view.viewport().height()
        if top < bar.value():
            bar.setValue(top)
        elif top + axis.row_height > bar.value() + height:
            bar.setValue(top + axis.row_height - height)

    def reveal(self, start: int, end: int, lane: int) -> None:
        """Scroll so that a stretch of a lane can be seen, or as much of it as there is room for."""
        self.reveal_lane(lane)
        self.reveal_stretch(start, end)

    def reveal_bars(self, first: int, last: int) -> None:
        """Scroll so that bars can be seen, or as many of them as there is room for."""
        self.reveal_stretch(*self._stage.song.bar_map.span(first, last))

    def reveal_stretch(self, start: int, end: int) -> None:
        """The same with a stretch of ticks, whatever the lanes."""
        axis, bar = self._stage.axis, self._view.horizontalScrollBar()
        left, right, width = axis.x(start), axis.x(end), self._view.viewport().width()
        if right - left > width or left < 0:
            if left < 0 or left > width - MARGIN:
                bar.setValue(round(left) + axis.left - MARGIN)
        elif right > width:
            bar.setValue(round(right) + axis.left - width + MARGIN)

    def reveal_x(self, at: float) -> None:
        """Scroll so that a tick stands near the left edge."""
        axis = self._stage.axis
        bar = self._view.horizontalScrollBar()
        bar.setValue(round(axis.x(at)) + axis.left - self._view.viewport().width() // 10)
