"""The place of the timeline: lanes on a canvas, with ruler, chords and headers around them."""

from __future__ import annotations

from itertools import count, pairwise
from time import monotonic

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from app.i18n import tr
from app.ui.canvas.playhead import playhead_frames
from app.ui.canvas.time_canvas import TimeCanvas
from app.ui.canvas.tool import Pointer
from app.ui.kit.accessibility.accessible_parts import AccessibleParts
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.timeline.accessibility import TimelineDescription
from app.ui.timeline.actions import TimelineActions
from app.ui.timeline.chord_lane import ChordLane
from app.ui.timeline.commands import (
    AskMeter,
    AskName,
    AskSectionName,
    AskTempo,
    AskTrackName,
    OpenNotes,
    Reveal,
    RevealLane,
    RevealTick,
    TimelineCommand,
    ZoomSelection,
    ZoomSteps,
)
from app.ui.timeline.corner import Corner
from app.ui.timeline.file_drop import FileDrop
from app.ui.timeline.fit import song_end, step_out_of_sight
from app.ui.timeline.fonts import Fonts
from app.ui.timeline.headers import Headers
from app.ui.timeline.lanes import Lanes
from app.ui.timeline.measures import CHORD_HEIGHT, HEADER_WIDTH, SECTION_HEIGHT, TOP_HEIGHT
from app.ui.timeline.menus import Menus
from app.ui.timeline.refusals import Refusals
from app.ui.timeline.renaming import Renaming
from app.ui.timeline.ruler import Ruler
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look, Tones
from app.ui.timeline.tools.lanes import LanesTool
from app.viewmodels.open_project import OpenProject
from app.viewmodels.timeline.lanes import lane_height
from app.viewmodels.transport.playback import TransportState

METER_FRAMES = 2
_LEAST_WIDTH = 100
"""Width of the view (pixels) from which a song is zoomed to fit when it is first shown."""
_SONG_AROUND = 1


class TimelineArea(TimeCanvas[Look]):
    """The timeline's canvas with ruler, chord lane and track headers around it; carries out their commands.

    Signal `notes_wanted` carries the id of a clip, or of a ghost's clip, whose notes are to be shown. `close_view` ends
    timers and subscriptions."""

    notes_wanted = Signal(str)

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        stage = TimelineContext(opened, kit, self.repaint_all)
        pointer, looks = Pointer(LanesTool(stage)), count(1)
        super().__init__(
            stage.axis, kit, tr("Timeline"), lambda tokens, ratio: (Tones(tokens, next(looks), ratio), Fonts()), pointer
        )
        self.stage, self.file, self.song_actions = stage, FileDrop(stage), TimelineActions(stage)
        self.setObjectName("timeline")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setViewportMargins(HEADER_WIDTH, TOP_HEIGHT, 0, 0)
        self.setAcceptDrops(True)
        self._fitted = False
        self.layers = (Lanes(stage, lambda: pointer.drag, self.hasFocus), self.file)
        self.menus = Menus(stage, self.song_actions, self)
        self.corner = Corner(stage, self, self.add_track)
        self.ruler = Ruler(stage, self.look, self.song_actions.marks, self.menus.frames, self)
        self.chords = ChordLane(stage, self.look, self, self.repaint_all)
        self.headers = Headers(stage, self.look, self, self.menus, self.song_actions)
        self.time_sides, self.row_sides = (self.ruler, self.chords), (self.headers,)
        self.renaming = Renaming(stage, self.viewport(), self.headers, self.ruler)
        for first, second in pairwise((self.corner.overlay, self.ruler, self.chords, self.headers)):
            self.setTabOrder(first, second)
        self._description = TimelineDescription(stage, self)
        self.words = self._description.words
        self._refusals = Refusals(stage, self, lambda: self.dragging)
        self.frames = playhead_frames(self.frame, self)
        self._frame_count, self._last = 0, monotonic()
        self._state = TransportState()
        self._subscriptions = Subscriptions()
        self._listen()
        kit.tasks.start(stage.lane_choice.load(), "timeline")
        # Of a scroll area's children Qt tells only the viewport; with this interface corner, ruler and headers are told
        # too. It comes last: each slot that is connected gives the class another meta object, and the interface is kept
        # by that.
        self._accessibility = AccessibleParts(self, tuple, QAccessible.Role.Grouping)

    def _listen(self) -> None:
        stage, opened, repaint = self.stage, self.stage.opened, self.repaint_all
        focus, playback, outdated = opened.focus, opened.playback, self.stage.outdated
        self.corner.following.clicked.connect(focus.follow.set)
        for silence in (
            opened.workspace.changed.listen(lambda _: outdated()),
            opened.reviewing.proposal.changed.listen(lambda _: outdated()),
            opened.running.live.changed.listen(lambda _: outdated()),
            opened.locks.changed.listen(lambda _: outdated()),
            stage.lane_choice.size.changed.listen(lambda _: self._fit_lanes()),
            stage.asked.listen(self.carry_out),
            focus.clips.changed.listen(lambda _: repaint()),
            focus.track.changed.listen(lambda _: self._track_chosen()),
            focus.step.changed.listen(lambda _: self._step_lit()),
            focus.hovered.changed.listen(lambda _: repaint()),
            focus.bars.changed.listen(lambda _: repaint()),
            focus.sought.listen(lambda bars: self.navigator.reveal_time(*stage.song.bar_map.span(*bars))),
            focus.overlay.watch(lambda on: self.corner.show_overlay(on=on)),
            focus.follow.watch(self.corner.following.setChecked),
            focus.overlay.changed.listen(lambda _: outdated()),
            playback.solo.changed.listen(lambda _: repaint()),
            playback.state.watch(self._playing),
            playback.sought.listen(lambda _: repaint()),
        ):
            self._subscriptions.add(silence)

    def close_view(self) -> None:
        """End timers and subscriptions; the view is not updated afterwards."""
        super().close_view()
        self._subscriptions.close()
        self.frames.stop()
        self._refusals.close()
        self.headers.state.keyed.close()
        self.chords.reading.close()

    # --- what is asked for

    def zoom_song(self) -> None:
        """Zoom so that the whole song fits."""
        self.navigator.show(0, song_end(self.stage), _SONG_AROUND)

    def zoom_selection(self) -> None:
        """Zoom so that the selected clips, or else the chosen bars, fill the view; with neither the whole song."""
        span = self.song_actions.selected_span() or self.song_actions.bars_span()
        if span is None:
            self.zoom_song()
        else:
            self.navigator.show(*span, min(24, self.navigator.width // 10))

    def add_track(self) -> None:
        """Open the menu of instruments for a new track."""
        self.menus.tracks.instruments().popup(self.corner.mapToGlobal(self.corner.rect().bottomLeft()))

    def carry_out(self, command: TimelineCommand) -> None:
        """Carry out a command of actions, menus or keys."""
        navigator, axis, menus = self.navigator, self.stage.axis, self.menus
        match command:
            case Reveal(start, end, None):
                navigator.reveal_time(start, end)
            case Reveal(start, end, int(lane)):
                navigator.reveal(start, end, lane)
            case RevealLane(lane):
                navigator.reveal_row(lane)
            case RevealTick(at):
                if not 0 <= axis.x(at) <= navigator.width - 1:
                    navigator.scroll_to(at)
            case ZoomSteps(steps):
                navigator.zoom_by(steps, axis.x(self.stage.opened.playback.position()))
            case ZoomSelection():
                self.zoom_selection()
            case AskName():
                self.renaming.selected()
            case AskTrackName(track):
                self.renaming.track(track)
            case AskSectionName(section):
                self.renaming.section(section)
            case AskTempo(at):
                menus.frames.ask_tempo(at)
            case AskMeter(mark):
                menus.frames.meters(mark.at).popup(self.ruler.below(mark))
            case OpenNotes(clip):
                self.notes_wanted.emit(clip)

    # --- what is shown

    def place(self) -> None:
        """Lay out corner, ruler, chord lane and headers around the lanes, and set the lanes' height: the chosen one, or
        what fits."""
        place = self.viewport().geometry()
        self.corner.setGeometry(0, 0, HEADER_WIDTH, TOP_HEIGHT)
        self.ruler.setGeometry(place.left(), 0, place.width(), TOP_HEIGHT)
        self.chords.setGeometry(place.left(), SECTION_HEIGHT, place.width(), CHORD_HEIGHT)
        self._description.list.setGeometry(self.viewport().rect())
        self.headers.setGeometry(0, TOP_HEIGHT, HEADER_WIDTH, place.height())
        self._fit_lanes()
        self._fit_song()

    def _fit_lanes(self) -> None:
        """Let the lanes have the height that was chosen, or that fits the window; the uppermost one stays."""
        axis, window = self.stage.axis, self.window().size()
        height = lane_height(self.stage.lane_choice.size.value, window.width(), window.height())
        if height != axis.row_height:
            lane = axis.top // axis.row_height
            axis.row_height = height
            self.navigator.sync()
            self.verticalScrollBar().setValue(lane * height)
            self.repaint_all()

    def _fit_song(self) -> None:
        """The first song that comes is shown whole."""
        # The scene of now says how long the axis is.
        lanes = self.stage.scene.lanes
        if not self._fitted and lanes and self.navigator.width > _LEAST_WIDTH and self.isVisible():
            self._fitted = True
            self.zoom_song()

    def settled(self) -> None:
        """After changes: update scroll range, accessible descriptions and the corner, once for all of them."""
        self._fit_song()
        super().settled()
        self._description.describe()
        for part in (self.headers, self.ruler, self.chords):
            part.describe()
        scene = self.chords.scene
        self.corner.show_chords(changed=len(scene.ghosts), heard=sum(span.heard for span in scene.spans))

    def focus_inside(self) -> bool:
        """Whether the focus ring belongs to something inside: a current clip or ghost, or a file dragged over the
        lanes."""
        return self.file.active or self.stage.scene.find(self.stage.cursor, self.stage.overlay) is not None

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Take over the scroll bars' values and mark accessible parts as outdated."""
        super().scrollContentsBy(dx, dy)
        for part in (*((self.ruler, self.chords) if dx else ()), *((self.headers,) if dy else ())):
            part.accessibility.outdated()

    def _track_chosen(self) -> None:
        """Scroll to the lane of the current track."""
        lane = self.stage.scene.lane_of(self.stage.opened.focus.track.value)
        if lane is not None:
            self.navigator.reveal_row(lane)
        self.repaint_all()

    def _step_lit(self) -> None:
        """Scroll to what the step makes, unless it can be seen."""
        made = step_out_of_sight(self.stage, self.stage.opened.focus.step.value, self.viewport().rect())
        if made is not None:
            self.carry_out(made)
        self.repaint_all()

    # --- playing

    def _playing(self, state: TransportState) -> None:
        """The transport has changed; frames come while something plays, or while meters still fall."""
        if (state.playing, state.loop, state.looping) != (self._state.playing, self._state.loop, self._state.looping):
            self.repaint_all()
        self._state = state
        if state.playing and not self.frames.isActive():
            self._last = monotonic()
            self.frames.start()

    def frame(self) -> None:
        """Draw one animation frame: move the playhead, and at half the rate update the level meters."""
        opened, levels = self.stage.opened, self.headers.state.levels
        playback, follow = opened.playback, opened.focus.follow.value
        playing = self._state.playing
        self.move_playhead(playback.position(), follow=playing and follow and not self.pointer.dragging)
        self._frame_count += 1
        if self._frame_count % METER_FRAMES == 0:
            now = monotonic()
            levels.take(playback.track_levels(), now - self._last, now)
            self._last = now
            self.headers.paint_levels()
            if not playing and not levels.moving:
                self.frames.stop()
                self.repaint_all()

    # --- pointer

    @property
    def dragging(self) -> bool:
        """Whether Esc would cancel a drag over the lanes, the ruler or the headers."""
        return super().dragging or self.ruler.held or self.headers.held

    def cancel_drag(self) -> bool:
        """Cancel any drag without effect; returns whether there was one."""
        if super().cancel_drag():
            self.stage.refuse("")
            return True
        return self.ruler.cancel() or self.headers.cancel()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Continue a drag and show why releasing would do nothing, or light what is under the pointer."""
        super().mouseMoveEvent(event)
        self._tell_refusal()

    def drag_on(self, event: QMouseEvent) -> None:
        """Continue the drag while the lanes scroll under a resting pointer."""
        super().drag_on(event)
        self._tell_refusal()

    def _tell_refusal(self) -> None:
        drag = self.pointer.drag
        if self.pointer.dragging and drag is not None:
            self.stage.refuse(drag.reason)
            if drag.words:
                QToolTip.hideText()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Finish the drag."""
        super().mouseReleaseEvent(event)
        self.repaint_all()

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802
        """End highlights of what was under the pointer."""
        self.stage.hovered = None
        self.stage.hover(None)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Remove the focus ring, and show ghosts again if a held key has hidden them."""
        super().focusOutEvent(event)
        self.stage.peeking = False
        self.repaint_all()
