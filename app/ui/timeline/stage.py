"""What the parts of one timeline share: the open project, the scene, the axis, and the way to the song."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from agent.song.edits import CreateMidiClip
from agent.song.ids import ClipId, TrackId
from agent.song.time import Ticks
from app.exchange.midi_in import import_midi
from app.studio.observable import Observable
from app.ui.canvas.time_axis import TimeAxis
from app.ui.kit.by_hand import ByHand
from app.ui.kit.context import Kit
from app.ui.timeline.commands import TimelineCommand
from app.ui.timeline.measures import LANE_HEIGHT
from app.ui.timeline.scene import CurveRow, SceneItem, TimelineScene, build_scene
from app.viewmodels.edits.clip_edits import HandEdit
from app.viewmodels.edits.curve_edits import target_of
from app.viewmodels.edits.track_edits import brought_in
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.ghosts import Cause, made_by
from app.viewmodels.proposed import ghosts_now, proposed_now
from app.viewmodels.timeline.lanes import LaneChoice, LaneSize
from app.viewmodels.timeline.layout import NARROWEST, WIDEST, snapped
from app.viewmodels.timeline.marks import Marker


class LaneAxis(TimeAxis):
    """Axis with a lane per row, and a wider range of zoom than an axis for single clips."""

    narrowest, widest = NARROWEST, WIDEST


class TimelineContext(ByHand):
    """State that the parts of one timeline share. The scene is built on demand after something changed; `repaint` is
    called then."""

    def __init__(self, opened: OpenProject, kit: Kit, repaint: Callable[[], None]) -> None:
        super().__init__(opened, kit)
        self.axis = LaneAxis(12.0, LANE_HEIGHT)
        self.lane_choice = LaneChoice(opened.studio.store, opened.workspace.project)
        self.repaint = repaint
        self.refuse = opened.focus.refused.set
        """Shows the person why the current drag or edit is refused; empty removes the text."""
        self.asked: Observable[TimelineCommand] = Observable()
        """Emits a command for the view to carry out."""
        self.cursor: tuple[ClipId, bool] | None = None
        """The item that the keyboard is at."""
        self.hovered: tuple[ClipId, bool] | None = None
        self.peeking = False
        """Whether replaced clips are shown instead of their ghosts for as long as a key is held."""
        self.point: tuple[TrackId, str, Ticks] | None = None
        """The automation point that the keyboard is at: its track, target and place."""
        self.mark: Marker | None = None
        """The mark of the ruler that the keyboard is at."""
        self.chord: int | None = None
        """A tick in the chord span at the keyboard cursor; None for none."""
        self.unfolded: dict[TrackId, tuple[str, ...]] = {}
        """Targets whose automation is shown, by track, in the order in which they were unfolded."""
        self._scene: TimelineScene | None = None
        self._dirty = True

    @property
    def scene(self) -> TimelineScene:
        """The current scene."""
        if self._scene is None or self._dirty:
            self._dirty = False
            now = proposed_now(self.opened)
            self._scene = build_scene(
                self.song, ghosts_now(self.opened), self.opened.locks.value,
                made_by(now.proposal, now.done) if now.done else frozenset(), self._scene, self.unfolded,
            )
            self.axis.length, self.axis.rows = self._scene.length, len(self._scene.lanes)
        return self._scene

    @property
    def overlay(self) -> bool:
        """Whether ghosts are shown and selectable now."""
        return self.opened.focus.overlay.value and not self.peeking

    @property
    def failed(self) -> frozenset[str]:
        """Ids of the rows that failed in the run under way; empty without one."""
        live = self.opened.running.live.value
        return frozenset(live.failed) if live is not None and live.running else frozenset()

    def set_lanes(self, size: LaneSize) -> None:
        """Set and store the lane height of this project."""
        self.lane_choice.size.set(size)
        self.kit.tasks.start(self.lane_choice.keep(), "timeline")

    def outdated(self) -> None:
        """Mark the scene as outdated and repaint."""
        self._dirty = True
        self.repaint()

    def snap(self, at: float, free: bool) -> int:
        """The nearest grid position in ticks; with `free` the nearest tick, at least 0."""
        if free:
            return max(0, round(at))
        return snapped(self.song.bar_map, at, self.axis.per_beat)

    def bar_at(self, x: float) -> int:
        """Number of the bar at pixel x."""
        return self.song.bar_map.bar_at(max(0, round(self.axis.at(x))))

    def curve_row(self, lane: int) -> CurveRow | None:
        """The automation row at that index; None for lanes of clips, and if the target does not exist any more."""
        lanes = self.scene.lanes
        if not 0 <= lane < len(lanes) or not lanes[lane].curve:
            return None
        target = target_of(lanes[lane].track, lanes[lane].curve, self.opened.studio.palette)
        return None if target is None else CurveRow(lane, lanes[lane].track, target)

    def lit(self, cause: Cause) -> bool:
        """Whether something made by `cause` is highlighted: one of its steps is in focus or hovered."""
        focus = self.opened.focus
        step = focus.step.value
        return (step is not None and step in cause.steps) or not focus.hovered.value.isdisjoint(cause.steps)

    def hover(self, cause: Cause | None) -> None:
        """Highlight the plan's rows that have caused what is under the pointer; None ends it."""
        self.opened.focus.hovered.set(frozenset() if cause is None else cause.steps)

    def choose(self, item: SceneItem | None, *, extend: bool = False) -> None:
        """Select one clip or ghost; with `extend` add it to the selection or remove it. None deselects, unless
        `extend`."""
        focus = self.opened.focus
        if item is None:
            if not extend:
                focus.clips.set(frozenset())
            self.cursor = None
            self.repaint()
            return
        self.cursor, self.point = item.key, None
        focus.track.set(item.track.id)
        focus.clip.set(item.clip.id)
        if extend:
            focus.clips.set(focus.clips.value ^ {item.clip.id})
        else:
            focus.clips.set(frozenset([item.clip.id]))
        if item.ghost is not None:
            focus.step.set(item.ghost.cause.step)
        self.repaint()

    def unfold(self, track: TrackId, target: str, *, on: bool) -> None:
        """Show or hide the row of a target's automation below its track."""
        shown = tuple(one for one in self.unfolded.get(track, ()) if one != target)
        self.unfolded[track] = (*shown, target) if on else shown
        if not on and self.point is not None and self.point[:2] == (track, target):
            self.point = None
        self.outdated()

    def bring_in(self, path: Path, at: Ticks) -> None:
        """Add the tracks of a MIDI file at a tick, as one version of the song."""
        self.kit.tasks.start(self._bring_in(path, at), "timeline")

    async def _bring_in(self, path: Path, at: Ticks) -> None:
        found = await asyncio.to_thread(import_midi, path, self.opened.studio.palette)
        hand = await asyncio.to_thread(brought_in, found.song, at, path.name)
        await self.opened.edit(hand.edits, hand.label)
        self.opened.focus.clips.set(frozenset(
            edit.clip_id for edit in hand.edits if isinstance(edit, CreateMidiClip)
        ))
        self.repaint()

    async def _commit(self, hand: HandEdit, settled: Callable[[], object]) -> None:
        try:
            await super()._commit(hand, settled)
            if hand.made:
                self.opened.focus.clips.set(frozenset(hand.made))
                self.cursor = hand.made[0], False
        finally:
            self.repaint()
