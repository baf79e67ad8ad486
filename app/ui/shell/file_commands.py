"""The File menu: another project, a MIDI file in, a file out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeyEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLineEdit, QListWidgetItem, QVBoxLayout, QWidget

from agent.session.cancellation import Cancellation
from app.i18n import tr, trn
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import FlatButton, MainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.row_list import RowList
from app.ui.shell.export_dialog import ExportDialog
from app.ui.shell.notification_bar import NotificationBar
from app.ui.shell.results import ProgressStrip

if TYPE_CHECKING:
    # The database is slow to import; the window is shown before it.
    from app.services.formats import Format
    from app.storage.records import Project
    from app.viewmodels.desktop import Desktop


_WIDTH, _HEIGHT = 460, 420
_MARGIN, _GAP = 16, 8


class ProjectDialog(QDialog):
    """Lists all projects, newest first; signal `wanted` carries the id of the chosen one."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget, projects: Sequence[Project]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open project"))
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(_WIDTH, _HEIGHT)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search projects"))
        self.search.setAccessibleName(tr("Search projects"))
        self.search.installEventFilter(self)
        self.list = RowList(tr("Projects"))
        for project in reversed(projects):
            item = QListWidgetItem(project.name)
            item.setData(Qt.ItemDataRole.UserRole, project.id)
            item.setToolTip(tr("Begun {day}", day=project.created[:10]) if project.created else "")
            self.list.addItem(item)
        self.none = PlainLabel("", tone="t3")
        self.open_button = MainButton(tr("Open project"))
        self.open_button.setDefault(True)
        cancel = FlatButton(tr("Cancel"))
        end = QHBoxLayout()
        end.addWidget(self.none, 1)
        end.addWidget(cancel)
        end.addWidget(self.open_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addLayout(end)
        cancel.clicked.connect(self.reject)
        self.open_button.clicked.connect(self._take)
        self.list.itemActivated.connect(lambda _: self._take())
        self.search.textChanged.connect(self.narrow)
        self.narrow("")

    def narrow(self, words: str) -> None:
        """Show the projects whose names hold all the words."""
        parts = words.casefold().split()
        shown: list[QListWidgetItem] = []
        for row in range(self.list.count()):
            item = self.list.item(row)
            fits = all(part in item.text().casefold() for part in parts)
            item.setHidden(not fits)
            shown += [item] if fits else []
        self.list.setCurrentItem(shown[0] if shown else None)  # type: ignore[arg-type]
        self.open_button.setEnabled(bool(shown))
        self.none.setText("" if shown else tr("No project fits") if self.list.count() else tr("No projects yet"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Up and down move in the list while the search field has the keyboard."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                self._move(step)
                return True
        return super().eventFilter(watched, event)

    def _move(self, step: int) -> None:
        row = self.list.currentRow() + step
        while 0 <= row < self.list.count():
            if not self.list.item(row).isHidden():
                self.list.setCurrentRow(row)
                return
            row += step

    def _take(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.wanted.emit(item.data(Qt.ItemDataRole.UserRole))
            self.accept()


class FileCommands:
    """Carries out the File menu on the desktop; dialogs open over `window`, results are shown in `strips`.

    `empty_song` begins work on the untouched draft and returns whether there was one; `exporting` is called with
    whether an export is under way, `put_request` writes into the chat's box, `written` gets the text about a finished
    export."""

    def __init__(
        self, desktop: Desktop, kit: Kit, window: QWidget, strips: NotificationBar, empty_song: Callable[[], bool],
        exporting: Callable[[bool], None], put_request: Callable[[str], None], written: Callable[[str], None],
    ) -> None:
        self._desktop = desktop
        self._kit = kit
        self._window = window
        self._strips = strips
        self._empty_song = empty_song
        self._exporting = exporting
        self._put_request = put_request
        self._written = written
        self._turn = asyncio.Lock()
        self._cancellation: Cancellation | None = None

    def new(self) -> None:
        """Begin an empty song; if the open project is an untouched draft, that one is used."""
        if not self._empty_song():
            self._kit.tasks.start(self._new(), "window")

    def start_page(self) -> None:
        """Leave the project and show the start page."""
        self._kit.tasks.start(self._in_turn(self._desktop.new), "window")

    def choose_project(self) -> None:
        """Open another project from a list."""
        self._kit.tasks.start(self._choose_project(), "window")

    def open(self, project: str) -> None:
        """Open a project by its id."""
        self._kit.tasks.start(self._in_turn(lambda: self._desktop.open(project)), "window")

    def choose_midi(self, request: str = "") -> None:
        """Ask for a MIDI file, open it as a new song and write `request` into the chat's box."""
        self._choose(tr("Open MIDI as a new song"), lambda path: self.bring_in(path, request))

    def choose_import(self) -> None:
        """Ask for a MIDI file and add its tracks to the open song."""
        self._choose(tr("Import MIDI into this song"), self.add)

    def _choose(self, title: str, then: Callable[[Path], None]) -> None:
        dialog = QFileDialog(self._window, title, "", _filter())
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: then(Path(name)))
        dialog.open()

    def bring_in(self, path: Path, request: str = "") -> None:
        """Open a MIDI file as a new song and write `request` into the chat's box. A file that cannot be read is
        reported and changes nothing."""
        self._kit.tasks.start(self._bring_in(path, request), "window")

    def add(self, path: Path) -> None:
        """Add the tracks of a MIDI file to the open song. A file that cannot be read is reported and changes
        nothing."""
        self._kit.tasks.start(self._add(path), "window")

    def export(self) -> None:
        """Ask for format and path, then export; does nothing without a project or while another export runs."""
        opened = self._desktop.opened.value
        if opened is None or self._cancellation is not None:
            return
        paths = self._desktop.studio.paths
        dialog = ExportDialog(self._window, paths.exports, _file_stem(opened.workspace.name))
        dialog.wanted.connect(self.write)
        dialog.open()

    def write(self, form: Format, path: Path, replace: bool = False) -> None:
        """Export the song as `form` to `path`, with progress and a cancel button in a strip; an existing file is only
        replaced if `replace`."""
        self._kit.tasks.start(self._write(form, path, replace), "window")

    def close(self) -> None:
        """Cancel the export under way; no part of its file stays."""
        if self._cancellation is not None:
            self._cancellation.cancel()

    async def _new(self) -> None:
        await self._in_turn(self._desktop.new)
        self._empty_song()

    async def _in_turn(self, work: Callable[[], object]) -> None:
        async with self._turn:
            await work()  # type: ignore[misc]

    async def _choose_project(self) -> None:
        dialog = ProjectDialog(self._window, await self._desktop.studio.projects.all())
        dialog.wanted.connect(self.open)
        dialog.open()
        dialog.search.setFocus()

    async def _bring_in(self, path: Path, request: str) -> None:
        async with self._turn:
            brought = await self._desktop.bring_in(path)
        self._strips.report(
            _brought_words(path, brought.tracks, brought.kept, brought.dropped, brought.chords, brought.agreed)
        )
        if request:
            self._put_request(request)

    async def _add(self, path: Path) -> None:
        async with self._turn:
            found = await self._desktop.add_file(path)
        words = _brought_words(path, len(found.song.tracks), found.kept, tuple(found.dropped))
        self._strips.report(tr("Added to this song. {said}", said=words))

    async def _write(self, form: Format, path: Path, replace: bool) -> None:
        loop, cancellation = asyncio.get_running_loop(), Cancellation()
        strip = ProgressStrip(tr("Exporting {file}", file=path.name), cancellation.cancel)
        self._cancellation = cancellation
        self._exporting(True)
        self._strips.track(strip)

        def progress(share: float, _: str) -> None:
            # Rendering tells from its own thread, also after the last frame of a window that closes.
            if not cancellation.requested() and not loop.is_closed():
                loop.call_soon_threadsafe(lambda: _show(strip, share))

        try:
            await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
            written = await self._desktop.export(
                form, path, progress, cancellation.requested, replace=replace
            )
        except Exception:
            if not cancellation.requested():
                raise
            self._strips.report(tr("Stopped. {file} was not written.", file=path.name))
            return
        finally:
            self._cancellation = None
            self._strips.untrack(strip)
            self._exporting(False)
        folder = written.path if form == "stems" else written.path.parent
        words = tr("Exported {file}", file=written.path.name)
        if written.dropped:
            words = tr("{said}. Not kept: {what}", said=words, what="; ".join(written.dropped))
        if written.remarks:
            words = tr("{said}. To know: {what}", said=words, what="; ".join(written.remarks))
        self._strips.report(words, ((tr("Show folder"), lambda: show_folder(folder)),))
        self._written(words)


def _brought_words(
    path: Path, tracks: int, notes: int, dropped: Sequence[str], chords: int = 0, agreed: float = 1.0
) -> str:
    """What came of a file: "Ferry.mid: 4 tracks, 210 notes." """
    words = tr(
        "{file}: {tracks}, {notes}.", file=path.name, tracks=trn("{count} track", "{count} tracks", tracks),
        notes=trn("{count:,} note", "{count:,} notes", notes),
    )
    if chords:
        named = trn("{count} chord that the file names", "{count} chords that the file names", chords)
        share = round(100 * agreed)
        words = tr("{said} {chords}; {share}% of what sounds fits.", said=words, chords=named, share=share)
    return tr("{said} Not kept: {what}.", said=words, what="; ".join(dropped)) if dropped else words


def _show(strip: ProgressStrip, share: float) -> None:
    if strip.isEnabled():
        strip.show_share(share)


def show_folder(folder: Path) -> None:
    """Show a folder in the system's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _filter() -> str:
    return f"{tr('MIDI files')} (*.mid *.midi *.MID *.MIDI);;{tr('All files')} (*)"


def _file_stem(name: str) -> str:
    from app.services.file_names import file_name

    return file_name(name)
