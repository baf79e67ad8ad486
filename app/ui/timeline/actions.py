"""What menus and keys let the timeline do: selection, and edits of clips and tracks."""

from __future__ import annotations

from agent.song.ids import ClipId, TrackId
from agent.song.time import Ticks
from agent.song.track import Track
from app.ui.timeline.commands import Reveal, RevealTick
from app.ui.timeline.mark_actions import MarkActions
from app.ui.timeline.navigation import Way, next_item
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.clip_edits import chosen, deleted, duplicated, find_track, moved, muted, split
from app.viewmodels.edits.curve_edits import curve_of, target_of, with_point, with_points
from app.viewmodels.edits.track_edits import deleted_track, duplicated_track, placed_track
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
            self._stage.asked.emit(RevealTick(self._stage.point[2]))
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


class TimelineActions:
    """Each method is one action; one without anything to act on does nothing."""

    def __init__(self, stage: TimelineContext) -> None:
        self._stage = stage
        self.points = PointActions(stage)
        self.marks = MarkActions(stage)

    def select_all(self) -> None:
        """Select every clip of the song."""
        self._stage.opened.focus.clips.set(frozenset(clip.id for _, clip in self._stage.song.clips()))

    def delete_selected(self) -> None:
        """Delete the selected clips."""
        self._stage.commit(deleted(self._stage.song, self._selected))

    def split_selected(self) -> None:
        """Split the selected clips at the playhead, or without a selection those of the current track."""
        stage = self._stage
        at = stage.opened.playback.position()
        clips = self._selected
        if not clips:
            track = find_track(stage.song, stage.opened.focus.track.value)
            clips = frozenset(clip.id for clip in track.clips) if track is not None else clips
        stage.commit(split(stage.song, clips, at))

    def duplicate_selected(self) -> None:
        """Add copies of the selected clips right after them."""
        self._stage.commit(duplicated(self._stage.song, self._selected))

    def nudge(self, steps: int) -> None:
        """Move the selected clips by so many grid steps; negative is earlier."""
        song = self._stage.song
        found = chosen(song, self._selected)
        if found:
            start = min(clip.start for _, clip in found)
            by = moved_by(song.bar_map, start, steps, self._stage.axis.per_beat) - start
            self._stage.commit(moved(song, self._selected, by))

    def loop_selection(self) -> None:
        """Loop the range from the first start to the last end of the selected clips and ghosts; without any, the chosen
        bars."""
        span = self.selected_span() or self.bars_span()
        if span is not None:
            self._stage.opened.playback.set_loop(span, True)
            self._stage.repaint()

    def selected_span(self) -> tuple[Ticks, Ticks] | None:
        """First start and last end of the selected clips and ghosts, in ticks; None without a selection."""
        scene, selected = self._stage.scene, self._selected
        spans = [(clip.start, clip.end) for _, clip in scene.song.clips() if clip.id in selected]
        spans += [(one.clip.start, one.clip.end) for one in scene.ghosts.clips if one.clip.id in selected]
        return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None

    def bars_span(self) -> tuple[Ticks, Ticks] | None:
        """Start and end of the chosen bars in ticks; None if none are chosen."""
        bars = self._stage.opened.focus.bars.value
        return None if bars is None else self._stage.song.bar_map.span(*bars)

    def choose_bars(self, by: int) -> None:
        """Move the end of the chosen bars by so many bars; with none chosen, begin at the bar of the selection or the
        playhead."""
        stage = self._stage
        bars, now = stage.song.bar_map, stage.opened.focus.bars.value
        if now is None:
            span = self.selected_span()
            first = bars.bar_at(stage.opened.playback.position() if span is None else span[0])
            stage.opened.focus.bars.set((first, first if span is None else bars.bar_at(span[1] - 1)))
            return
        stage.opened.focus.bars.set((now[0], max(now[0], now[1] + by)))

    def delete_track(self) -> None:
        """Delete the current track."""
        track = self._stage.opened.focus.track.value
        if track is not None:
            self._stage.commit(deleted_track(self._stage.song, track))

    def duplicate_track(self) -> None:
        """Insert a copy of the current track below it."""
        track = self._stage.opened.focus.track.value
        if track is not None:
            self._stage.commit(duplicated_track(self._stage.song, track))

    def move_track(self, by: int) -> None:
        """Move the current track so many places down; negative is up."""
        song, track = self._stage.song, self._stage.opened.focus.track.value
        names = [one.id for one in song.tracks]
        if track in names:
            self._stage.commit(placed_track(song, track, names.index(track) + by))

    def mute_track(self) -> None:
        """Mute the current track, or unmute it."""
        track = self._stage.opened.focus.track.value
        if track is not None:
            self._stage.commit(muted(self._stage.song, track))

    def solo_track(self) -> None:
        """Solo the current track, or end its solo."""
        track = self._stage.opened.focus.track.value
        if track is not None:
            self._stage.toggle_solo(track)

    def go(self, way: Way, *, extend: bool = False) -> None:
        """Move the keyboard cursor from the current clip or ghost to the next one in this direction and select it;
        `extend` adds to the selection."""
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
        stage.asked.emit(Reveal(following.clip.start, following.clip.end, following.lane))

    @property
    def chosen(self) -> bool:
        """Whether `escape` would deselect anything."""
        focus = self._stage.opened.focus
        some = focus.clips.value or focus.step.value is not None or focus.bars.value is not None
        return self._stage.point is not None or bool(some)

    def escape(self) -> None:
        """Deselect one thing: the automation point, else clips and the plan's step, else bars."""
        stage, focus = self._stage, self._stage.opened.focus
        if stage.point is not None:
            stage.point = None
            stage.repaint()
        elif focus.clips.value or focus.step.value is not None:
            focus.clips.set(frozenset())
            focus.step.set(None)
        else:
            focus.bars.set(None)

    @property
    def _selected(self) -> frozenset[ClipId]:
        return self._stage.opened.focus.clips.value
