"""Menus of tracks: what can be done with one, its colour, curves and SoundFont, and what a new one plays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from agent.song.ids import TrackId
from agent.song.locks import TrackLock
from agent.song.palette import Instrument
from agent.song.track import Track
from app.i18n import tr
from app.services.own_fonts import bring_font
from app.sound.soundfont import find_own
from app.ui.kit.icons import INSTRUMENT_ICONS, SONG_ICON, icon
from app.ui.kit.key_text import key_text
from app.ui.kit.widgets.labels import plain_tip
from app.ui.timeline.actions import TimelineActions
from app.ui.timeline.commands import AskTrackName
from app.ui.timeline.menu_making import add, keys_of, new_menu, plain_entry
from app.ui.timeline.scene import CurveRow
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import color_icon
from app.viewmodels.edits.clip_edits import find_track, muted
from app.viewmodels.edits.curve_edits import Shape, curve_of, targets_of, with_points
from app.viewmodels.edits.mixing import with_mix
from app.viewmodels.edits.own_fonts import known_fonts, soundfont_of, with_soundfont
from app.viewmodels.edits.track_edits import colored, deleted_track, duplicated_track, new_track
from app.viewmodels.texts.color_words import named_colors
from app.viewmodels.texts.palette_words import said
from app.viewmodels.timeline.lanes import LaneSize
from app.viewmodels.timeline.words import family_name


class FontMenu:
    """Menus to choose a SoundFont file; a file that cannot be used is reported with the timeline's errors."""

    def __init__(self, stage: TimelineContext, parent: QWidget) -> None:
        self._stage = stage
        self._parent = parent

    def fill(self, menu: QMenu, track: TrackId | None) -> None:
        """Add the choices for a track, or with None for the song."""
        song = self._stage.song
        now = soundfont_of(song, track)
        # a track without a file of its own plays from the song's
        whole = "" if track is None else song.soundfont
        none = tr("As the song: {file}", file=whole) if whole else tr("The bank")
        self._choice(menu, none, track, "", on=not now)
        for file in known_fonts(song, track):
            self._choice(menu, _told(file, whole), track, file, on=file == now)
        menu.addSeparator()
        add(menu, tr("From a file…"), lambda: self.ask(track), "folder-open")

    def _choice(self, menu: QMenu, words: str, track: TrackId | None, file: str, *, on: bool) -> None:
        one = add(menu, words, self._choosing(track, file))
        one.setCheckable(True)
        one.setChecked(on)

    def ask(self, track: TrackId | None) -> QFileDialog:
        """Open a file dialog for a track's SoundFont, or with None for the song's."""
        dialog = QFileDialog(self._parent, tr("SoundFont"), "", f"{tr('SoundFonts')} (*.sf2 *.sf3 *.SF2 *.SF3)")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.bring(Path(name), track))
        dialog.open()
        return dialog

    def bring(self, path: Path, track: TrackId | None) -> None:
        """Check a SoundFont file, copy it into the program's store, and use it for the track, or with None for the
        song."""
        self._stage.kit.tasks.start(self._brought(path, track), "timeline")

    async def _brought(self, path: Path, track: TrackId | None) -> None:
        file = await asyncio.to_thread(bring_font, path)
        self._stage.commit(with_soundfont(self._stage.song, track, file))

    def _choosing(self, track: TrackId | None, file: str) -> Callable[[], None]:
        return lambda: self._stage.commit(with_soundfont(self._stage.song, track, file))


def _told(file: str, whole: str) -> str:
    """A file, and what plays meanwhile where it is not there: the song's own file, or the bank."""
    if find_own(file):
        return file
    if whole and find_own(whole):
        return tr("{file} is not there: {other} plays", file=file, other=whole)
    return tr("{file} is not there: the bank plays", file=file)


class TrackMenus:
    """Makes menus of tracks and automation rows, and fills parts of other menus."""

    def __init__(self, stage: TimelineContext, actions: TimelineActions, parent: QWidget) -> None:
        self._stage = stage
        self._actions = actions
        self._parent = parent
        self.fonts = FontMenu(stage, parent)

    def menu(self, track: TrackId, parent: QWidget) -> QMenu:
        """The context menu of a track's header."""
        menu = new_menu(parent)
        self.fill(menu, track)
        return menu

    def fill(self, menu: QMenu, track: TrackId) -> None:
        """Add the entries for a track to a menu."""
        stage, actions = self._stage, self._actions
        found = find_track(stage.song, track)
        if found is None:
            return
        locked = track in stage.scene.locked_tracks
        lock = add(menu, tr("Unlock track") if locked else tr("Lock track"),
                   lambda: stage.toggle_locks((TrackLock(track),)), "lock-simple-open" if locked else "lock-simple",
                   keys_of(self._parent, "track.lock"))
        lock.setToolTip(tr("A locked track is not changed by any step. You can still edit it by hand."))
        add(menu, tr("Unmute track") if found.mute else tr("Mute track"),
            lambda: stage.commit(muted(stage.song, track)), "speaker-slash", keys_of(self._parent, "track.mute"))
        solo = track in stage.opened.playback.solo.value
        add(menu, tr("Hear all tracks") if solo else tr("Solo track"), lambda: stage.toggle_solo(track),
            "headphones", keys_of(self._parent, "track.solo"))
        add(menu, tr("Volume to 0 dB"), lambda: stage.commit(with_mix(stage.song, track, 0.0, None)))
        add(menu, tr("Pan to the middle"), lambda: stage.commit(with_mix(stage.song, track, None, 0.0)))
        menu.addSeparator()
        add(menu, tr("Rename track"), lambda: stage.asked.emit(AskTrackName(track)), "pencil-simple",
            keys_of(self._parent, "edit.rename"))
        self.fill_colors(menu, found)
        self._curves(menu, found)
        self.fonts.fill(menu.addMenu(icon("waveform"), tr("SoundFont of the track")), track)
        # where many tracks fill the view no place is left below them
        self.fonts.fill(menu.addMenu(tr("SoundFont of the song")), None)
        menu.addSeparator()
        self.fill_instruments(menu.addMenu(tr("Add track below")), track)
        add(menu, tr("Duplicate track"), lambda: stage.commit(duplicated_track(stage.song, track)), "copy",
            keys_of(self._parent, "track.duplicate"))
        add(menu, tr("Move track up"), lambda: actions.move_track(-1), "", key_text("Alt+Up"))
        add(menu, tr("Move track down"), lambda: actions.move_track(1), "", key_text("Alt+Down"))
        add(menu, tr("Delete track"), lambda: stage.commit(deleted_track(stage.song, track)), "trash",
            keys_of(self._parent, "track.delete"))
        self.fill_heights(menu)

    def curve(self, row: CurveRow) -> QMenu:
        """The context menu of an automation row."""
        stage, track, target = self._stage, row.track.id, row.target.target
        curve = curve_of(row.track, target)
        menu = new_menu(self._parent)
        delete = add(menu, tr("Delete point"), self._actions.points.delete, "eraser", key_text("Del"))
        delete.setEnabled(stage.point is not None and stage.point[:2] == (track, target))
        shapes: dict[Shape, str] = {"linear": tr("Straight lines between points"), "hold": tr("Hold each point")}
        for shape, words in shapes.items():
            one = add(menu, words, self._shape(row, shape))
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
        """A menu of all instruments by family; the chosen one gets a new track, below track `after` or at the end."""
        menu = new_menu(self._parent)
        self.fill_instruments(menu, after)
        return menu

    def fill_instruments(self, menu: QMenu, after: TrackId | None) -> None:
        """Add all instruments by family; the chosen one gets a new track, below track `after` or with None at the
        end."""
        song = self._stage.song
        place = next((number for number, track in enumerate(song.tracks) if track.id == after), None)
        families: dict[str, QMenu] = {}
        for one in self._stage.opened.studio.palette.instruments:
            if one.family not in families:
                mark = INSTRUMENT_ICONS.get(one.family, SONG_ICON)
                families[one.family] = menu.addMenu(icon(mark), family_name(one.family))
            chosen = add(families[one.family], said(one.label), self._new_track(one, place))
            if one.samples is not None:
                families[one.family].setToolTipsVisible(True)
                chosen.setToolTip(plain_tip(said(one.samples.terms)))

    def fill_colors(self, menu: QMenu, track: Track) -> None:
        """Add a submenu of the colours for a track."""
        below = menu.addMenu(icon("palette"), tr("Colour of {track}", track=plain_entry(track.name)))
        for color, name in named_colors():
            one = add(below, name, self._paint(track.id, color))
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
            act = add(below, words, self._fold(track.id, one.target, on=one.target not in shown))
            act.setCheckable(True)
            act.setChecked(one.target in shown)

    def fill_heights(self, menu: QMenu) -> None:
        """Add a submenu of the lane heights."""
        below = menu.addMenu(icon("rows"), tr("Lane height"))
        names: dict[LaneSize, str] = {
            "auto": tr("As the window has room"), "small": tr("Small"), "normal": tr("Normal"), "tall": tr("Tall"),
        }
        for size, words in names.items():
            one = add(below, words, self._height(size))
            one.setCheckable(True)
            one.setChecked(self._stage.lane_choice.size.value == size)

    def _new_track(self, instrument: Instrument, place: int | None) -> Callable[[], None]:
        stage = self._stage

        def act() -> None:
            hand, track = new_track(instrument, place)
            stage.commit(hand, lambda: stage.opened.focus.track.set(track))

        return act

    def _paint(self, track: TrackId, color: str) -> Callable[[], None]:
        stage = self._stage
        return lambda: stage.commit(colored(stage.song, track, color))

    def _fold(self, track: TrackId, target: str, *, on: bool) -> Callable[[], None]:
        return lambda: self._stage.unfold(track, target, on=on)

    def _height(self, size: LaneSize) -> Callable[[], None]:
        return lambda: self._stage.set_lanes(size)

    def _shape(self, row: CurveRow, shape: Shape) -> Callable[[], None]:
        stage, track, target = self._stage, row.track.id, row.target.target

        def act() -> None:
            found = find_track(stage.song, track)
            if found is not None:
                stage.commit(with_points(stage.song, track, target, curve_of(found, target).points, shape))

        return act
