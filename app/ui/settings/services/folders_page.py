"""The page of the folders that the steps of the open project may use."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from app.i18n import lazy, tr
from app.services.files.names import shown
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import DangerButton, MainButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.services.service_page import PathField, ServicePage, show_in
from app.viewmodels.integrations.project_folders import (
    ACCESS_WORDS,
    REASON_WORDS,
    Access,
    FolderList,
    FolderRow,
    FoldersShown,
)
from app.viewmodels.services import Services

_ABOUT = (
    lazy("Steps of this project read and write files in these folders and nowhere else, and only in rows that you "
          "approve. What they read may be sent to the model that plans.")
)
_SIGNS = {"exports": "file-arrow-down", "allowed": "folder", "library": "books"}
_ACCESS: tuple[Access, ...] = ("read", "write")
_COMBO_WIDTH = 130


class FoldersPage(ServicePage):
    """The folders of the open project that steps may use, and what they may do there."""

    def __init__(self, kit: Kit, services: Services) -> None:
        super().__init__(kit, tr("Folders of this project"), tr(_ABOUT))
        self._folders: FolderList = services.folders
        self.project = PlainLabel("", tone="t2")
        self.column.addWidget(self.project)
        self.table = RowTable(kit, tr("Folders"), (tr("Folder"), tr("Steps may"), tr("Why")), (240, 110, 180), lines=7,
                              elide=Qt.TextElideMode.ElideMiddle)
        self._empty = self.add_table(self.table, tr("No project is open."))
        self.access = PlainButton(tr("Let steps write there"), name=tr("Change what steps may do in the chosen folder"),
                                  tip=tr("Change what steps may do in the chosen folder"))
        self.forget = DangerButton(tr("Forget"), name=tr("Forget the chosen folder"),
                                   tip=tr("Steps may no longer use it"))
        self.row(self.access, self.forget, stretch=-1)
        self.heading(tr("Allow another folder, and all that is in it"))
        self.path = PathField(tr("Folder"), "~/Music/MIDI")
        self.choice = QComboBox()
        self.choice.addItems([tr(ACCESS_WORDS[one]) for one in _ACCESS])
        self.choice.setAccessibleName(tr("What steps may do there"))
        self.choice.setToolTip(tr("What steps may do there"))
        self.choice.setMinimumWidth(_COMBO_WIDTH)
        self.allow = MainButton(tr("Allow folder"), icon="plus", tip=tr("Steps of this project may then use it"))
        self.row(self.path, self.choice, self.allow)
        self.column.addWidget(self.working)
        self.column.addStretch()
        self.working.held = (self.table, self.access, self.forget, self.path, self.choice, self.allow)
        self._connect(services)

    def _connect(self, services: Services) -> None:
        self.table.chosen.connect(lambda _: self._renew())
        self.working.settled.connect(self._renew)
        self.path.edit.textChanged.connect(lambda _: self._renew())
        self.path.edit.returnPressed.connect(self._allow)
        self.allow.clicked.connect(self._allow)
        self.access.clicked.connect(self._change)
        self.forget.clicked.connect(self._forget)
        self.subscriptions.add(self._folders.shown.watch(self._show))
        self.subscriptions.add(services.opened.changed.listen(lambda _: self.look()))

    def look(self) -> None:
        """Read and show the folders of the open project."""
        self.working.quietly(self._folders.refresh, lambda _: None)

    def _show(self, now: FoldersShown) -> None:
        name = tr("Project: {name}", name=shown(now.project)) if now.project else ""
        keeps = tr("{project}. Allowing a folder keeps it as a project.", project=name)
        self.project.setText(keeps if now.project and now.draft else name)
        show_in(self.table, self._empty, [_row(row) for row in now.rows])
        self._renew()

    @property
    def _chosen(self) -> FolderRow | None:
        at = next((one for one in self._folders.shown.value.rows if _id(one) == self.table.id), None)
        return at if at is not None and at.reason == "allowed" else None

    def _renew(self) -> None:
        chosen, free = self._chosen, not self.working.busy
        self.access.setEnabled(free and chosen is not None)
        self.forget.setEnabled(free and chosen is not None)
        writes = chosen is not None and chosen.access == "write"
        self.access.setText(tr("Let steps only read") if writes else tr("Let steps write there"))
        self.allow.setEnabled(free and bool(self.path.path) and bool(self._folders.shown.value.project))

    def _allow(self) -> None:
        if self.path.path:
            self._store(self.path.path, _ACCESS[self.choice.currentIndex()])

    def _change(self) -> None:
        chosen = self._chosen
        if chosen is not None:
            self._store(chosen.path, "read" if chosen.access == "write" else "write")

    def _store(self, path: str, access: Access) -> None:
        def done(whole: str) -> None:
            self.path.edit.setText("")
            self.table.choose(f"allowed {whole}")
            read = tr("Steps of this project may read in {folder}.", folder=shown(whole))
            write = tr("Steps of this project may read and write in {folder}.", folder=shown(whole))
            self.working.said.tell(write if access == "write" else read)
            self.path.edit.setFocus(Qt.FocusReason.OtherFocusReason)

        self.work(tr("Looking at the folder"), lambda: self._folders.allow(path, access), done)

    def _forget(self) -> None:
        chosen = self._chosen
        if chosen is not None:
            self.work(tr("Taking it back"), lambda: self._folders.forget(chosen.path),
                      lambda _: self.working.said.tell(tr("Steps may no longer use {path}.", path=shown(chosen.path)),
                                                       "t3"))


def _id(row: FolderRow) -> str:
    return f"{row.reason} {row.path}"


def _row(row: FolderRow) -> Row:
    path = shown(row.path)
    words = tr(ACCESS_WORDS[row.access]), tr(REASON_WORDS[row.reason])
    return Row(_id(row), (path, *words), _SIGNS[row.reason], "t2", path)
