"""Context menus of the timeline: what can be done with clips, tracks, curves, sections and bars, each with its key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from agent.song.edits import CreateMidiClip
from agent.song.ids import TrackId
from agent.song.locks import TrackLock
from agent.song.palette import Instrument
from agent.song.time import Ticks
from agent.song.track import Track
from app.desktop.clip_edits import HandEdit, chosen, find_track, fresh_clip_id, muted, split, with_volume
from app.desktop.curve_edits import curve_of, targets_of, with_points
from app.desktop.locking import all_held, bars_lock, clip_locks
from app.desktop.mixing import with_mix
from app.desktop.timeline_lanes import LaneSize
from app.desktop.timeline_words import color_name, family_name
from app.desktop.track_edits import colored, deleted_track, duplicated_track, new_track
from app.ui.kit.icons import INSTRUMENT_ICONS, SONG_ICON, icon
from app.ui.kit.tokens import TRACK_COLORS
from app.ui.timeline.scene import CurveRow, Item
from app.ui.timeline.stage import Stage
from app.ui.timeline.tones import color_icon
from app.words import tr, trn

if TYPE_CHECKING:
    from app.ui.timeline.area import TimelineArea

NEW_CLIP_BARS = 4


class Menus:
    """Makes each menu when it is asked for; it deletes itself once it is closed."""

    def __init__(self, view: TimelineArea) -> None:
        self._view = view
        self._stage = view.stage

    def at(self, place: QPoint, *, by_keyboard: bool) -> tuple[QMenu | None, QPoint]:
        """The menu for a place of the lanes, or for what the keyboard is at, and where it belongs."""
        stage = self._stage
        if by_keyboard:
            item = stage.scene.find(stage.cursor, stage.overlay)
            if item is not None:
                axis = stage.axis
                return self.clip(item, item.clip.start), QPoint(
                    max(0, round(axis.x(item.clip.start))), axis.y(item.lane) + 20
                )
            lane = stage.scene.lane_of(stage.opened.focus.track.value)
            place = QPoint(20, stage.axis.y(lane or 0) + 20)
        lane = stage.axis.lane(place.y())
        at = Ticks(stage.snap(stage.axis.at(place.x()), free=False))
        row = stage.curve_row(lane)
        if row is not None:
            return self.curve(row), place
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

    def clip(self, item: Item, at: Ticks) -> QMenu:
        """For a clip or a ghost, with the rest of the selection; `at` is the place of the grid under the pointer."""
        stage, view = self._stage, self._view
        clips = stage.opened.focus.clips.value | ({item.clip.id} if item.ghost is None else set())
        menu = new_menu(view)
        add(menu, tr("Open in piano roll"), lambda: view.wants_notes(item.clip.id), "piano-keys", tr("Enter"))
        if item.ghost is not None:
            return menu
        add(menu, tr("Rename clip"), view.acts.rename_selected, "pencil-simple", self.keys("edit.rename"))
        cut = add(menu, tr("Split here"), lambda: stage.commit(split(stage.song, clips, at)), "scissors",
                   tr("Alt+Shift+click"))
        cut.setEnabled(item.clip.start < at < item.clip.end)
        add(menu, tr("Split at playhead"), view.acts.split_selected, "scissors", self.keys("edit.split"))
        add(menu, tr("Duplicate"), view.acts.duplicate_selected, "copy", self.keys("edit.duplicate"))
        add(menu, tr("Delete"), view.acts.delete_selected, "eraser", self.keys("edit.delete"))
        menu.addSeparator()
        self._colors(menu, item.track)
        wanted = clip_locks(clips, stage.song)
        held = all_held(stage.opened.locks.value, wanted)
        count = len(chosen(stage.song, clips))
        add(menu, trn("Unlock clip", "Unlock {count} clips", count) if held
             else trn("Lock clip", "Lock {count} clips", count),
             lambda: stage.toggle_locks(wanted), "lock-simple-open" if held else "lock-simple")
        menu.addSeparator()
        add(menu, tr("Choose its bars"), lambda: self._choose(item), "selection")
        add(menu, tr("Loop"), view.acts.loop_selection, "repeat", self.keys("transport.loop_selection"))
        add(menu, tr("Zoom to selection"), view.acts.zoom_selection, "magnifying-glass-plus",
             self.keys("view.zoom_selection"))
        return menu

    def lane(self, track: Track, at: Ticks) -> QMenu:
        """For an empty place of a track."""
        menu = new_menu(self._view)
        add(menu, tr("New clip here"), lambda: self._new_clip(track, at), "plus")
        menu.addSeparator()
        self.fill_track(menu, track.id)
        menu.addSeparator()
        self._frame(menu)
        self.fill_bars(menu)
        return menu

    def track(self, track: TrackId, parent: QWidget) -> QMenu:
        """For a track's header."""
        menu = new_menu(parent)
        self.fill_track(menu, track)
        return menu

    def ground(self) -> QMenu:
        """For the place below all tracks."""
        menu = new_menu(self._view)
        self._instruments(menu.addMenu(tr("Add track")), None)
        self._heights(menu)
        menu.addSeparator()
        self._frame(menu)
        self.fill_bars(menu)
        return menu

    def curve(self, row: CurveRow) -> QMenu:
        """For a row of automation."""
        stage, track, target = self._stage, row.track.id, row.target.target
        curve = curve_of(row.track, target)
        menu = new_menu(self._view)
        delete = add(menu, tr("Delete point"), self._view.acts.points.delete, "eraser", tr("Del"))
        delete.setEnabled(stage.point is not None and stage.point[:2] == (track, target))
        for shape, words in (("linear", tr("Straight lines between points")), ("hold", tr("Hold each point"))):
            one = add(menu, words, _shape(self, row, shape))
            one.setCheckable(True)
            one.setChecked(curve.curve == shape)
            one.setEnabled(bool(curve.points))
        clear = add(menu, tr("Delete the curve"), lambda: stage.commit(
            with_points(stage.song, track, target, (), None)
        ), "trash")
        clear.setEnabled(bool(curve.points))
        add(menu, tr("Hide {curve}", curve=row.target.label), lambda: stage.unfold(track, target, on=False), "x")
        return menu

    def instruments(self, after: TrackId | None = None) -> QMenu:
        """All instruments by family; the chosen one plays a new track."""
        menu = new_menu(self._view)
        self._instruments(menu, after)
        return menu

    def fill_track(self, menu: QMenu, track: TrackId) -> None:
        """What can be done with a track."""
        stage, acts = self._stage, self._view.acts
        found = find_track(stage.song, track)
        if found is None:
            return
        locked = track in stage.scene.locked_tracks
        lock = add(menu, tr("Unlock track") if locked else tr("Lock track"),
                    lambda: stage.toggle_locks((TrackLock(track),)), "lock-simple-open" if locked else "lock-simple",
                    self.keys("track.lock"))
        lock.setToolTip(tr("A locked track is not changed by any step. You can still edit it by hand."))
        add(menu, tr("Unmute track") if found.mute else tr("Mute track"),
             lambda: stage.commit(muted(stage.song, track)), "speaker-slash", self.keys("track.mute"))
        solo = track in stage.opened.playback.solo.value
        add(menu, tr("Hear all tracks") if solo else tr("Solo track"), lambda: stage.toggle_solo(track),
             "headphones", self.keys("track.solo"))
        add(menu, tr("Volume to 0 dB"), lambda: stage.commit(with_volume(stage.song, track, 0.0)))
        add(menu, tr("Pan to the middle"), lambda: stage.commit(with_mix(stage.song, track, None, 0.0)))
        menu.addSeparator()
        add(menu, tr("Rename track"), lambda: acts.rename_track(track), "pencil-simple", self.keys("edit.rename"))
        self._colors(menu, found)
        self._curves(menu, found)
        menu.addSeparator()
        self._instruments(menu.addMenu(tr("Add track below")), track)
        add(menu, tr("Duplicate track"), lambda: stage.commit(duplicated_track(stage.song, track)), "copy",
             self.keys("track.duplicate"))
        add(menu, tr("Move track up"), lambda: acts.move_track(-1), "", tr("Alt+Up"))
        add(menu, tr("Move track down"), lambda: acts.move_track(1), "", tr("Alt+Down"))
        add(menu, tr("Delete track"), lambda: stage.commit(deleted_track(stage.song, track)), "trash",
             self.keys("track.delete"))
        self._heights(menu)

    def fill_bars(self, menu: QMenu) -> None:
        """What can be done with the chosen bars."""
        stage = self._stage
        bars = stage.opened.focus.bars.value
        if bars is None:
            return
        wanted = bars_lock(bars)
        held = all_held(stage.opened.locks.value, wanted)
        first, last = bars
        add(menu, tr("Loop bars {first}–{last}", first=first, last=last), self._loop_bars, "repeat")
        add(menu, tr("Unlock bars {first}–{last}", first=first, last=last) if held
             else tr("Lock bars {first}–{last}", first=first, last=last),
             lambda: stage.toggle_locks(wanted), "lock-simple-open" if held else "lock-simple")
        add(menu, tr("Zoom to selection"), self._view.acts.zoom_selection, "magnifying-glass-plus",
             self.keys("view.zoom_selection"))
        add(menu, tr("Choose no bars"), lambda: stage.opened.focus.bars.set(None), "x", tr("Esc"))

    def rename_track(self, track: TrackId) -> None:
        """Open the line in which a track gets another name."""
        self._view.acts.rename_track(track)

    def move_track(self, by: int) -> None:
        """Bring the current track so many places down."""
        self._view.acts.move_track(by)

    def keys(self, action: str) -> str:
        """The keys that an action of the window has now."""
        found = self._view.window().findChild(QAction, action)
        return "" if found is None else found.shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def _colors(self, menu: QMenu, track: Track) -> None:
        below = menu.addMenu(icon("palette"), tr("Colour of {track}", track=_plain(track.name)))
        for name, color in TRACK_COLORS.items():
            one = add(below, color_name(name), _paint(self, track.id, color))
            one.setIcon(color_icon(color))
            one.setCheckable(True)
            one.setChecked(track.color.upper() == color.upper())

    def _curves(self, menu: QMenu, track: Track) -> None:
        """Switches for the rows of automation: curves that there are come first, marked."""
        below = menu.addMenu(icon("chart-line"), tr("Automation"))
        shown = self._stage.unfolded.get(track.id, ())
        filled = {lane.target for lane in track.automation}
        targets = targets_of(track, self._stage.opened.studio.palette)
        for one in sorted(targets, key=lambda one: one.target not in filled):
            words = tr("{curve} •", curve=one.label) if one.target in filled else one.label
            act = add(below, words, _fold(self, track.id, one.target, on=one.target not in shown))
            act.setCheckable(True)
            act.setChecked(one.target in shown)

    def _instruments(self, menu: QMenu, after: TrackId | None) -> None:
        song = self._stage.song
        place = next((number for number, track in enumerate(song.tracks) if track.id == after), None)
        families: dict[str, QMenu] = {}
        for one in self._stage.opened.studio.palette.instruments:
            if one.family not in families:
                mark = INSTRUMENT_ICONS.get(one.family, SONG_ICON)
                families[one.family] = menu.addMenu(icon(mark), family_name(one.family))
            add(families[one.family], one.label, _new_track(self._stage, one, place))

    def _heights(self, menu: QMenu) -> None:
        below = menu.addMenu(icon("rows"), tr("Lane height"))
        names: dict[LaneSize, str] = {
            "auto": tr("As the window has room"), "small": tr("Small"), "normal": tr("Normal"), "tall": tr("Tall"),
        }
        for size, words in names.items():
            one = add(below, words, _height(self, size))
            one.setCheckable(True)
            one.setChecked(self._stage.lane_choice.size.value == size)

    def _frame(self, menu: QMenu) -> None:
        """Sections, tempo and meter at the playhead, for those who do not reach the ruler with a pointer."""
        at = self._stage.opened.playback.position()
        below = menu.addMenu(icon("gauge"), tr("At the playhead"))
        self._view.frames.fill(below, at, self._stage.song.bar_map.bar_at(at), in_sections=True)

    def _choose(self, item: Item) -> None:
        bars = self._stage.song.bar_map
        self._stage.opened.focus.bars.set((bars.bar_at(item.clip.start), bars.bar_at(item.clip.end - 1)))

    def _loop_bars(self) -> None:
        bars = self._stage.opened.focus.bars.value
        if bars is not None:
            self._stage.opened.playback.set_loop(self._stage.song.bar_map.span(*bars), True)

    def _new_clip(self, track: Track, at: Ticks) -> None:
        bars = self._stage.song.bar_map
        start = bars.start_of(bars.bar_at(at))
        end = bars.start_of(bars.bar_at(at) + NEW_CLIP_BARS)
        following = [clip.start for clip in track.clips if clip.start > start]
        end = min([end, *following])
        made = fresh_clip_id()
        edit = CreateMidiClip(clip_id=made, track_id=track.id, start_time=start, duration=Ticks(end - start))
        self._stage.commit(HandEdit((edit,), tr("New clip in {track}", track=track.name)[:120], (made,)))


def new_menu(parent: QWidget) -> QMenu:
    """A menu that deletes itself once it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    return menu


def add(menu: QMenu, words: str, act: Callable[[], object], mark: str = "", keys: str = "") -> QAction:
    """One entry, with its icon and its key; the words are shown as they are, however long or odd."""
    made = menu.addAction(_plain(words) + (f"\t{keys}" if keys else ""))
    if mark:
        made.setIcon(icon(mark))
    made.triggered.connect(lambda: act())
    return made


def _plain(words: str) -> str:
    """A text in which & is no mnemonic and a tab begins no key."""
    return " ".join(words[:80].split()).replace("&", "&&")


def _new_track(stage: Stage, instrument: Instrument, place: int | None) -> Callable[[], None]:
    def act() -> None:
        hand, track = new_track(instrument, place)
        stage.commit(hand, lambda: stage.opened.focus.track.set(track))

    return act


def _paint(menus: Menus, track: TrackId, color: str) -> Callable[[], None]:
    stage = menus._stage
    return lambda: stage.commit(colored(stage.song, track, color))


def _fold(menus: Menus, track: TrackId, target: str, *, on: bool) -> Callable[[], None]:
    return lambda: menus._stage.unfold(track, target, on=on)


def _height(menus: Menus, size: LaneSize) -> Callable[[], None]:
    return lambda: menus._view.acts.set_lanes(size)


def _shape(menus: Menus, row: CurveRow, shape: str) -> Callable[[], None]:
    stage = menus._stage
    track, target = row.track.id, row.target.target

    def act() -> None:
        found = find_track(stage.song, track)
        if found is not None:
            points = curve_of(found, target).points
            stage.commit(with_points(stage.song, track, target, points, "hold" if shape == "hold" else "linear"))

    return act
