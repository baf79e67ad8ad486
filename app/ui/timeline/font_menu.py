"""The menu of SoundFonts of one's own, for a track and for the song: known files, another from the disk, the bank."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from agent.song.ids import TrackId
from app.i18n import tr
from app.services.own_fonts import bring_font
from app.sound.soundfont import find_own
from app.ui.timeline.menu_making import add
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.own_fonts import known_fonts, soundfont_of, with_soundfont


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
