"""Context menus of the lanes: what can be done with a clip, a place of a track, and chosen bars, each with its key."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from agent.song.edits import CreateMidiClip
from agent.song.time import Ticks
from agent.song.track import Track
from app.i18n import tr, trn
from app.ui.kit.icons import icon
from app.ui.kit.key_text import key_text
from app.ui.timeline.actions import TimelineActions
from app.ui.timeline.commands import AskName, OpenNotes, ZoomSelection
from app.ui.timeline.frame_menus import FrameMenus, fill_bars
from app.ui.timeline.menu_making import add, keys_of, new_menu
from app.ui.timeline.scene import SceneItem
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.track_menus import TrackMenus
from app.viewmodels.edits.clip_edits import HandEdit, chosen, fresh_clip_id, split
from app.viewmodels.edits.locking import all_held, clip_locks

NEW_CLIP_BARS = 4


class Menus:
    """Makes context menus of the lanes; each deletes itself when it is closed."""

    def __init__(self, stage: TimelineContext, actions: TimelineActions, parent: QWidget) -> None:
        self._stage = stage
        self._actions = actions
        self._parent = parent
        self.tracks = TrackMenus(stage, actions, parent)
        self.frames = FrameMenus(stage, parent)

    def at(self, place: QPoint, *, by_keyboard: bool) -> tuple[QMenu | None, QPoint]:
        """The menu for a point of the view, or `by_keyboard` for the current clip or track, and the point to open it
        at; None for no menu."""
        stage = self._stage
        if by_keyboard:
            item = stage.scene.find(stage.cursor, stage.overlay)
            if item is not None:
                axis = stage.axis
                return self.clip(item, item.clip.start), QPoint(
                    max(0, round(axis.x(item.clip.start))), axis.row_top(item.lane) + 20
                )
            lane = stage.scene.lane_of(stage.opened.focus.track.value)
            place = QPoint(20, stage.axis.row_top(lane or 0) + 20)
        lane = stage.axis.row_at(place.y())
        at = Ticks(stage.snap(stage.axis.at(place.x()), free=False))
        row = stage.curve_row(lane)
        if row is not None:
            return self.tracks.curve(row), place
        item = stage.scene.item_at(lane, stage.axis.at(place.x()), stage.overlay)
        if item is not None:
            if item.clip.id not in stage.opened.focus.clips.value:
                stage.choose(item)
            stage.cursor = item.key
            return self.clip(item, at), place
        if 0 <= lane < len(stage.scene.lanes) and stage.scene.lanes[lane].in_song:
            stage.opened.focus.track.set(stage.scene.lanes[lane].track.id)
            return self.lane(stage.scene.lanes[lane].track, at), place
        return self.ground(), place

    def clip(self, item: SceneItem, at: Ticks) -> QMenu:
        """The menu of a clip or ghost and the rest of the selection; `at` is the grid position (ticks) under the
        pointer."""
        stage, actions = self._stage, self._actions
        clips = stage.opened.focus.clips.value | ({item.clip.id} if item.ghost is None else set())
        menu = new_menu(self._parent)
        add(menu, tr("Open in piano roll"), lambda: stage.asked.emit(OpenNotes(item.clip.id)), "piano-keys",
            key_text("Enter"))
        if item.ghost is not None:
            return menu
        add(menu, tr("Rename clip"), lambda: stage.asked.emit(AskName()), "pencil-simple",
            keys_of(self._parent, "edit.rename"))
        cut = add(menu, tr("Split here"), lambda: stage.commit(split(stage.song, clips, at)), "scissors",
                   tr("Alt+Shift+click"))
        cut.setEnabled(item.clip.start < at < item.clip.end)
        add(menu, tr("Split at playhead"), actions.split_selected, "scissors", keys_of(self._parent, "edit.split"))
        add(menu, tr("Duplicate"), actions.duplicate_selected, "copy", keys_of(self._parent, "edit.duplicate"))
        add(menu, tr("Delete"), actions.delete_selected, "eraser", keys_of(self._parent, "edit.delete"))
        menu.addSeparator()
        self.tracks.fill_colors(menu, item.track)
        wanted = clip_locks(clips, stage.song)
        held = all_held(stage.opened.locks.value, wanted)
        count = len(chosen(stage.song, clips))
        add(menu, trn("Unlock clip", "Unlock {count} clips", count) if held
            else trn("Lock clip", "Lock {count} clips", count),
            lambda: stage.toggle_locks(wanted), "lock-simple-open" if held else "lock-simple")
        menu.addSeparator()
        add(menu, tr("Choose its bars"), lambda: self._choose(item), "selection")
        add(menu, tr("Loop"), actions.loop_selection, "repeat", keys_of(self._parent, "transport.loop_selection"))
        add(menu, tr("Zoom to selection"), lambda: stage.asked.emit(ZoomSelection()), "magnifying-glass-plus",
            keys_of(self._parent, "view.zoom_selection"))
        return menu

    def lane(self, track: Track, at: Ticks) -> QMenu:
        """The menu of an empty place of a track, at a tick."""
        menu = new_menu(self._parent)
        add(menu, tr("New clip here"), lambda: self.new_clip(track, at), "plus")
        menu.addSeparator()
        self.tracks.fill(menu, track.id)
        menu.addSeparator()
        self._frame(menu)
        fill_bars(menu, self._stage, self._parent)
        return menu

    def ground(self) -> QMenu:
        """The menu of the area below all tracks."""
        menu = new_menu(self._parent)
        self.tracks.fill_instruments(menu.addMenu(tr("Add track")), None)
        self.tracks.fonts.fill(menu.addMenu(icon("waveform"), tr("SoundFont of the song")), None)
        self.tracks.fill_heights(menu)
        menu.addSeparator()
        self._frame(menu)
        fill_bars(menu, self._stage, self._parent)
        return menu

    def _frame(self, menu: QMenu) -> None:
        """Sections, tempo and meter at the playhead, for those who do not reach the ruler with a pointer."""
        at = self._stage.opened.playback.position()
        below = menu.addMenu(icon("gauge"), tr("At the playhead"))
        self.frames.fill(below, at, self._stage.song.bar_map.bar_at(at), in_sections=True)

    def _choose(self, item: SceneItem) -> None:
        bars = self._stage.song.bar_map
        self._stage.opened.focus.bars.set((bars.bar_at(item.clip.start), bars.bar_at(item.clip.end - 1)))

    def new_clip(self, track: Track, at: Ticks) -> None:
        """Add an empty clip at the start of the bar that contains tick `at`, of a fixed number of bars but not beyond
        the next clip."""
        bars = self._stage.song.bar_map
        start = bars.start_of(bars.bar_at(at))
        end = bars.start_of(bars.bar_at(at) + NEW_CLIP_BARS)
        following = [clip.start for clip in track.clips if clip.start > start]
        end = min([end, *following])
        made = fresh_clip_id()
        edit = CreateMidiClip(clip_id=made, track_id=track.id, start_time=start, duration=Ticks(end - start))
        self._stage.commit(HandEdit((edit,), tr("New clip in {track}", track=track.name)[:120], (made,)))
