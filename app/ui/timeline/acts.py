"""What menus and keys let the timeline do: zoom, selection and edits of the selected clips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from agent.song.ids import ClipId, SectionId, TrackId
from agent.song.time import Ticks
from app.desktop.clip_edits import (
    chosen,
    deleted,
    duplicated,
    find_track,
    moved,
    muted,
    renamed,
    renamed_track,
    split,
)
from app.desktop.frame_edits import find_section, renamed_section
from app.desktop.timeline_lanes import LaneSize, lane_height
from app.desktop.timeline_layout import TAIL_BARS, end_of, moved_by
from app.desktop.track_edits import deleted_track, duplicated_track, placed_track
from app.ui.timeline.mark_acts import MarkActs
from app.ui.timeline.measures import CLIP_BOTTOM, CLIP_TOP, NAME_AT, RULER_HEIGHT, ZOOM_STEP
from app.ui.timeline.navigation import Way, next_item
from app.ui.timeline.point_acts import PointActs
from app.ui.timeline.rename import RenameLine
from app.words import tr

if TYPE_CHECKING:
    from app.ui.timeline.area import TimelineArea

LEAST_RENAME_WIDTH = 140
MARGIN = 24


class Acts:
    """Each method is one action; none does anything where there is nothing to do."""

    def __init__(self, view: TimelineArea) -> None:
        self._view = view
        self._stage = view.stage
        self.points = PointActs(view)
        self.marks = MarkActs(view)

    def zoom(self, per_beat: float, x: float) -> None:
        """Zoom so that what lies at a pixel stays there."""
        axis, view = self._stage.axis, self._view
        at = axis.at(x)
        axis.per_beat = axis.zoomed(per_beat, self._stage.scene.length)
        view.sync_range()
        bar = view.horizontalScrollBar()
        bar.setValue(round(at / 960 * axis.per_beat - x))
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
        self.zoom((self._view.viewport().width() - 2) / (end / 960), 0)

    def select_all(self) -> None:
        """Every clip of the song."""
        self._stage.opened.focus.clips.set(frozenset(clip.id for _, clip in self._stage.song.clips()))

    def delete_selected(self) -> None:
        """Delete the selected clips."""
        self._stage.commit(deleted(self._stage.song, self._selected))

    def split_selected(self) -> None:
        """Cut at the playhead: the selected clips, or without any those of the current track."""
        stage = self._stage
        at = stage.opened.playback.position()
        clips = self._selected
        if not clips:
            track = find_track(stage.song, stage.opened.focus.track.value)
            clips = frozenset(clip.id for clip in track.clips) if track is not None else clips
        stage.commit(split(stage.song, clips, at))

    def duplicate_selected(self) -> None:
        """Repeat the selected clips."""
        self._stage.commit(duplicated(self._stage.song, self._selected))

    def nudge(self, steps: int) -> None:
        """Move by steps of the grid."""
        song = self._stage.song
        found = chosen(song, self._selected)
        if found:
            start = min(clip.start for _, clip in found)
            by = moved_by(song.bar_map, start, steps, self._stage.axis.per_beat) - start
            self._stage.commit(moved(song, self._selected, by))

    def loop_selection(self) -> None:
        """Loop what the selected clips, or ghosts, cover; without any the chosen bars."""
        span = self.selected_span() or self._bars_span()
        if span is not None:
            self._stage.opened.playback.set_loop(span, True)
            self._stage.repaint()

    def zoom_selection(self) -> None:
        """What is selected, as near as it fits, with a little room around it; without anything the whole song."""
        span = self.selected_span() or self._bars_span()
        if span is None:
            self.zoom_song()
            return
        width = self._view.viewport().width()
        around = min(MARGIN, width // 10)
        axis = self._stage.axis
        axis.per_beat = axis.zoomed((width - 2 * around) / ((span[1] - span[0]) / 960), self._stage.scene.length)
        self._view.sync_range()
        self._view.horizontalScrollBar().setValue(round(axis.x(span[0])) + axis.left - around)
        axis.left = self._view.horizontalScrollBar().value()
        self._view.repaint_lanes()

    def selected_span(self) -> tuple[Ticks, Ticks] | None:
        """The ticks that the selected clips and ghosts cover."""
        scene, selected = self._stage.scene, self._selected
        spans = [(clip.start, clip.end) for _, clip in scene.song.clips() if clip.id in selected]
        spans += [(one.clip.start, one.clip.end) for one in scene.ghosts.clips if one.clip.id in selected]
        return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None

    def _bars_span(self) -> tuple[Ticks, Ticks] | None:
        bars = self._stage.opened.focus.bars.value
        return None if bars is None else self._stage.song.bar_map.span(*bars)

    def choose_bars(self, by: int) -> None:
        """Let the chosen bars reach so many bars farther; the first are those of the selection or the playhead."""
        stage = self._stage
        bars, now = stage.song.bar_map, stage.opened.focus.bars.value
        if now is None:
            span = self.selected_span()
            first = bars.bar_at(stage.opened.playback.position() if span is None else span[0])
            stage.opened.focus.bars.set((first, first if span is None else bars.bar_at(span[1] - 1)))
            return
        stage.opened.focus.bars.set((now[0], max(now[0], now[1] + by)))

    def add_track(self) -> None:
        """A menu of instruments, at the headers."""
        corner = self._view.corner
        self._view.menus.instruments().popup(corner.mapToGlobal(corner.rect().bottomLeft()))

    def delete_track(self) -> None:
        """Take the current track out."""
        track = self._stage.opened.focus.track.value
        if track is not None:
            self._stage.commit(deleted_track(self._stage.song, track))

    def duplicate_track(self) -> None:
        """Put a copy of the current track behind it."""
        track = self._stage.opened.focus.track.value
        if track is not None:
            self._stage.commit(duplicated_track(self._stage.song, track))

    def move_track(self, by: int) -> None:
        """Bring the current track so many places down."""
        song, track = self._stage.song, self._stage.opened.focus.track.value
        names = [one.id for one in song.tracks]
        if track in names:
            self._stage.commit(placed_track(song, track, names.index(track) + by))

    def set_lanes(self, size: LaneSize) -> None:
        """Give the lanes of this project another height, now and later."""
        self._stage.lane_choice.size.set(size)
        self._stage.kit.tasks.start(self._stage.lane_choice.keep(), "timeline")

    def fit_lanes(self) -> None:
        """Let the lanes have the height that was chosen, or that fits the window; the uppermost one stays."""
        axis, view = self._stage.axis, self._view
        window = view.window().size()
        height = lane_height(self._stage.lane_choice.size.value, window.width(), window.height())
        if height == axis.lane_height:
            return
        lane = axis.top // axis.lane_height
        axis.lane_height = height
        view.sync_range()
        view.verticalScrollBar().setValue(lane * height)
        axis.top = view.verticalScrollBar().value()
        self._stage.repaint()

    def rename_section(self, section_id: SectionId) -> RenameLine | None:
        """A line over a section's name."""
        stage, ruler = self._stage, self._view.ruler
        section = find_section(stage.song, section_id)
        if section is None:
            return None
        left = max(0, round(stage.axis.x(section.start)))
        place = QRect(left, 0, LEAST_RENAME_WIDTH, RULER_HEIGHT)
        words = tr("section {name}", name=section.name)
        return RenameLine(ruler, place, section.name, words, lambda name: (
            stage.commit(renamed_section(stage.song, section_id, name))
        ))

    def mute_track(self) -> None:
        """Mute the current track, or not."""
        track = self._stage.opened.focus.track.value
        if track is not None:
            self._stage.commit(muted(self._stage.song, track))

    def solo_track(self) -> None:
        """Hear the current track alone, or not."""
        track = self._stage.opened.focus.track.value
        if track is not None:
            self._stage.toggle_solo(track)

    def rename_selected(self) -> RenameLine | None:
        """A line over the current clip's name; over the current track's if the headers have the keyboard."""
        stage, view = self._stage, self._view
        item = stage.scene.find(stage.cursor, overlay=False)
        if item is not None and not view.headers.hasFocus():
            self._reveal(item.clip.start, item.clip.end, item.lane)
            left = max(0, round(stage.axis.x(item.clip.start)))
            width = max(LEAST_RENAME_WIDTH, round(stage.axis.x(item.clip.end)) - left)
            place = QRect(left, stage.axis.y(item.lane), min(width, 320), RULER_HEIGHT)
            clip_id = item.clip.id
            words = tr("clip {name}", name=item.clip.name)
            return RenameLine(view.viewport(), place, item.clip.name, words, lambda name: (
                stage.commit(renamed(stage.song, clip_id, name))
            ))
        track = find_track(stage.song, stage.opened.focus.track.value)
        return None if track is None else self.rename_track(track.id)

    def rename_track(self, track_id: TrackId) -> RenameLine | None:
        """A line over a track's name."""
        stage, view = self._stage, self._view
        track, lane = find_track(stage.song, track_id), stage.scene.lane_of(track_id)
        if track is None or lane is None:
            return None
        self.reveal_lane(lane)
        place = QRect(NAME_AT - 4, stage.axis.y(lane) + CLIP_TOP, LEAST_RENAME_WIDTH, RULER_HEIGHT)
        words = tr("track {name}", name=track.name)
        return RenameLine(view.headers, place, track.name, words, lambda name: (
            stage.commit(renamed_track(stage.song, track_id, name))
        ))

    def go(self, way: Way, *, extend: bool = False) -> None:
        """The clip beside the current one."""
        stage = self._stage
        now = stage.scene.find(stage.cursor, stage.overlay)
        following = next_item(stage.scene, now, way, stage.overlay)
        if following is None:
            return
        if extend:
            stage.cursor = following.key
            focus = stage.opened.focus
            focus.clips.set(focus.clips.value | {following.clip.id})
            stage.repaint()
        else:
            stage.choose(following)
        self._reveal(following.clip.start, following.clip.end, following.lane)

    def escape(self) -> bool:
        """Choose nothing: a point, else clips and the step, else bars; whether something was chosen."""
        focus = self._stage.opened.focus
        if self._stage.point is not None:
            self._stage.point = None
            self._stage.repaint()
            return True
        if not focus.clips.value and focus.step.value is None:
            if focus.bars.value is None:
                return False
            focus.bars.set(None)
            return True
        focus.clips.set(frozenset())
        focus.step.set(None)
        return True

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
                round(axis.x(ghost.clip.start)), axis.y(lane) + CLIP_TOP,
                max(2, round(axis.x(ghost.clip.end) - axis.x(ghost.clip.start))),
                axis.lane_height - CLIP_TOP - CLIP_BOTTOM,
            )
            if place.intersects(area):
                return
        if made:
            self._reveal(made[0][1].clip.start, made[0][1].clip.end, made[0][0])

    def reveal_lane(self, lane: int) -> None:
        """Scroll so that a lane can be seen."""
        axis, bar = self._stage.axis, self._view.verticalScrollBar()
        top = lane * axis.lane_height
        height = self._view.viewport().height()
        if top < bar.value():
            bar.setValue(top)
        elif top + axis.lane_height > bar.value() + height:
            bar.setValue(top + axis.lane_height - height)

    def _reveal(self, start: int, end: int, lane: int) -> None:
        self.reveal_lane(lane)
        axis, bar = self._stage.axis, self._view.horizontalScrollBar()
        left, right, width = axis.x(start), axis.x(end), self._view.viewport().width()
        if right - left > width or left < 0:
            if left < 0 or left > width - MARGIN:
                bar.setValue(round(left) + axis.left - MARGIN)
        elif right > width:
            bar.setValue(round(right) + axis.left - width + MARGIN)

    @property
    def _selected(self) -> frozenset[ClipId]:
        return self._stage.opened.focus.clips.value
