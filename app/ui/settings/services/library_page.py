"""The page of the user's own library: folders with their counts, looked through on wish, and what is in them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt

from app.i18n import lazy, tr, trn
from app.services.files.names import shown
from app.studio.integrations.library import FolderState, Scanned
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import DangerButton, MainButton, PlainButton
from app.ui.settings.services.library_finder import LibraryFinder
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.services.service_page import PathField, ServicePage, show_in
from app.viewmodels.integrations.user_library import UserLibrary, scanned_words
from app.viewmodels.texts.moments import changed_when

_ABOUT = (
    lazy("Folders with your own MIDI files and samples. Plans of every project may find and read what is in them, in "
          "rows that you approve; nothing there is ever changed.")
)
_EMPTY = lazy("No folder of yours yet. Add one below, then it is looked through.")


class LibraryPage(ServicePage):
    """The user's library: its folders, and below a search in their files."""

    def __init__(self, kit: Kit, library: UserLibrary) -> None:
        super().__init__(kit, tr("Library"), tr(_ABOUT))
        self._library = library
        headings = (tr("Folder"), "MIDI", tr("Samples"), tr("Broken"), tr("Looked through"))
        self.table = RowTable(kit, tr("Folders of the library"), headings, (200, 60, 70, 66, 120), lines=3, sign_at=3,
                              elide=Qt.TextElideMode.ElideMiddle)
        self._empty = self.add_table(self.table, tr(_EMPTY))
        self.scan = PlainButton(tr("Look through all"), icon="arrows-clockwise",
                                tip=tr("Only new and changed files are read; what was read is kept if you cancel"))
        self.broken = PlainButton(tr("Show broken files"), name=tr("Show the files that cannot be read"),
                                  icon="warning",
                                  tip=tr("The files that cannot be read, each with its reason"))
        self.forget = DangerButton(tr("Forget"), name=tr("Forget the chosen folder"),
                                   tip=tr("Plans can no longer find what is in it; its files stay where they are"))
        self.row(self.scan, self.broken, self.forget, stretch=-1)
        self.path = PathField(tr("Folder of the library"), "~/Music/MIDI")
        self.add = MainButton(tr("Add folder"), icon="plus", tip=tr("Add it and look through it"))
        self.row(self.path, self.add)
        self.column.addWidget(self.working)
        self.heading(tr("What is in the library"))
        self.finder = LibraryFinder(kit, library)
        self.column.addWidget(self.finder)
        self.column.addStretch()
        self.working.held = (self.table, self.scan, self.broken, self.forget, self.path, self.add)
        self._connect()

    def _connect(self) -> None:
        self.table.chosen.connect(lambda _: self._renew())
        self.working.settled.connect(self._renew)
        self.path.edit.textChanged.connect(lambda _: self._renew())
        self.path.edit.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)
        self.scan.clicked.connect(lambda: self._look_through(None))
        self.broken.clicked.connect(self.finder.show_broken)
        self.forget.clicked.connect(self._forget)
        self.subscriptions.add(self._library.folders.watch(self._show))

    def look(self) -> None:
        """Count the files of the folders and search again."""
        self.working.quietly(self._library.refresh, lambda _: None)
        self.finder.search()

    def close_page(self) -> None:
        """Cancel a scan and a search; what was read is stored."""
        super().close_page()
        self.finder.close_part()

    def _show(self, folders: Sequence[FolderState]) -> None:
        show_in(self.table, self._empty, [_row(one) for one in folders])
        self._renew()

    def _renew(self) -> None:
        free, folders = not self.working.busy, self._library.folders.value
        self.add.setEnabled(free and bool(self.path.path))
        self.scan.setEnabled(free and bool(folders))
        self.forget.setEnabled(free and bool(self.table.id))
        broken = sum(one.faults for one in folders)
        self.broken.setVisible(bool(broken))
        self.broken.setText(trn("Show {count:,} broken file", "Show {count:,} broken files", broken))

    def _add(self) -> None:
        path = self.path.path
        if not path:
            return

        def done(whole: str) -> None:
            self.path.edit.setText("")
            self.table.choose(whole)
            self._look_through(whole)

        self.work(tr("Adding the folder"), lambda: self._library.add(path), done)

    def _look_through(self, folder: str | None) -> None:
        def tell(share: float, what: str) -> None:
            self.working.tell_share(share, tr("Looking through: {what}", what=shown(what)))

        def done(scanned: Scanned) -> None:
            well = not (scanned.stopped or scanned.faults or scanned.troubles)
            self.working.said.tell(scanned_words(scanned), "ok" if well else "warn")
            self.finder.search()
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

        self.work(tr("Looking through"), lambda: self._library.scan(folder, tell), done)

    def _forget(self) -> None:
        path = self.table.id

        def done(_: None) -> None:
            self.working.said.tell(tr("{path} is no longer in the library. Its files stay where they are.",
                                      path=shown(path)), "t3")
            self.finder.search()

        self.work(tr("Taking it out"), lambda: self._library.forget(path), done)


def _row(one: FolderState) -> Row:
    path = shown(one.path)
    when = tr("Not yet") if one.indexed is None else changed_when(one.indexed)
    counts = (f"{one.midi:,}", f"{one.samples:,}", f"{one.faults:,}" if one.faults else "")
    sign = "warning-fill" if one.faults else ""
    return Row(one.path, (path, *counts, when), sign, "warn", path)
