"""Searching the library: words, kind, key and tempo; what fits, and tags for the user's own files."""

from __future__ import annotations

import asyncio

from msgspec import UNSET
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox

from agent.errors import BandleaderError
from app.i18n import tr, trn
from app.services.files.names import shown
from app.services.library.library_service import ItemsFound
from app.studio.integrations.library import LibraryFault
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.parts import ResultLabel
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.services.service_page import Panel, line_edit
from app.viewmodels.integrations.machine_list import split_words
from app.viewmodels.integrations.user_library import KINDS, LibraryQuery, UserLibrary, item_cells
from app.viewmodels.texts.fixes import for_window

_SOON = 200
_ANY = 0.0
_FASTEST = 999.0
_KEY_WIDTH, _TEMPO_WIDTH = 90, 76
_BROKEN = "broken"
_SIGNS = {
    "midi": "music-notes", "sample": "waveform", "kit": "dots-nine", "effect": "sparkle", "style": "list-bullets",
    _BROKEN: "x-circle-fill",
}


class LibraryFinder(Panel):
    """Searches the user's library while the person types; a newer search cancels an older one. End it with
    `close_part`."""

    def __init__(self, kit: Kit, library: UserLibrary) -> None:
        super().__init__()
        self._kit, self._library = kit, library
        self._task: asyncio.Task[object] | None = None
        self._closed = False
        self._paths: dict[str, str] = {}
        self._soon = Coalesced(_SOON, self.search, self)
        self.words = line_edit(tr("Words to look for in the library"), tr("Words in name or tags"), 200)
        self.kind = QComboBox()
        for name, said in (*((name, tr(words)) for name, words in KINDS), (_BROKEN, tr("Broken files"))):
            self.kind.addItem(said, name)
        self.kind.setAccessibleName(tr("Kind"))
        self.kind.setToolTip(tr("What to look for"))
        self.key = line_edit(tr("Key"), tr("Any"), 40, tr('As "A minor", "F#m" or "Eb major"'))
        self.key.setFixedWidth(_KEY_WIDTH)
        self.slowest, self.fastest = _tempo(tr("Slowest tempo")), _tempo(tr("Fastest tempo"))
        self.table = RowTable(kit, tr("What fits"), (tr("Kind"), tr("Name"), tr("Key"), tr("Tempo"), tr("Tags")),
                              (108, 170, 70, 56, 200),
                              wide=1, lines=8)
        self.faults = RowTable(kit, tr("Files that cannot be read"), (tr("File"), tr("Why it cannot be read")),
                               (200, 300),
                               wide=1, lines=8)
        self.said = ResultLabel(kit)
        self.count = PlainLabel("", tone="t3", size="small")
        self.tags = line_edit(tr("Tags for the chosen file"), tr("intro, soft rain"), 400)
        self.tag = PlainButton(tr("Tag"), icon="tag", name=tr("Tag the chosen file"),
                               tip=tr("Give the chosen file these tags"))
        self.untag = PlainButton(tr("Untag"), name=tr("Untag the chosen file"),
                                 tip=tr("Take tags back that you gave; those of its name and content stay"))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.row(self.words, self.kind)
        between = PlainLabel(tr("to"), tone="t2")
        self.row(PlainLabel(tr("Key"), tone="t2"), self.key, PlainLabel(tr("Tempo"), tone="t2"), self.slowest, between,
                 self.fastest, self.count, stretch=6)
        self.column.addWidget(self.said)
        self.column.addWidget(self.table)
        self.column.addWidget(self.faults)
        self._marks = self.row(self.tags, self.tag, self.untag)
        self._turn(broken=False)

    def _connect(self) -> None:
        for field in (self.words, self.key):
            field.textChanged.connect(lambda _: self._soon.ask())
        for spin in (self.slowest, self.fastest):
            spin.valueChanged.connect(lambda _: self._soon.ask())
        self.kind.currentIndexChanged.connect(lambda _: self.search())
        self.table.chosen.connect(lambda _: self._renew())
        self.tags.textChanged.connect(lambda _: self._renew())
        self.tags.returnPressed.connect(lambda: self._mark(take=False))
        self.tag.clicked.connect(lambda: self._mark(take=False))
        self.untag.clicked.connect(lambda: self._mark(take=True))
        self._renew()

    def close_part(self) -> None:
        """Cancel a search under way."""
        self._closed = True
        self._soon.drop()
        if self._task is not None:
            self._task.cancel()

    def show_broken(self) -> None:
        """List the files that cannot be read, with their reasons."""
        at = self.kind.findData(_BROKEN)
        if self.kind.currentIndex() == at:
            self.search()
        self.kind.setCurrentIndex(at)
        self.faults.setFocus()

    def _turn(self, *, broken: bool) -> None:
        self.table.setVisible(not broken)
        self._marks.setVisible(not broken)
        self.faults.setVisible(broken)

    def search(self) -> None:
        """Search for what the fields say, cancelling a search under way."""
        self._soon.drop()
        if self._closed:
            return
        if self._task is not None:
            self._task.cancel()
        self._task = self._kit.tasks.start(self._find(), "window")

    async def _find(self) -> None:
        try:
            if self.kind.currentData() == _BROKEN:
                self._show_faults(await self._library.broken())
            else:
                self._show_found(await self._library.find(self._question()))
        except BandleaderError as error:
            if not self._closed:
                self.said.tell_error(for_window(error))

    def _question(self) -> LibraryQuery:
        low, high = self.slowest.value(), self.fastest.value()
        return LibraryQuery(self.kind.currentData(), self.words.text(), self.key.text(),
                        low if low > _ANY else None, high if high > _ANY else None)

    def _show_found(self, found: ItemsFound) -> None:
        if self._closed:
            return
        self.said.clear()
        rows, self._paths = [], {}
        for item in found.items:
            path = "" if item.path is UNSET else item.path
            row_id = path or f"{item.kind} {item.name}"
            if path:
                self._paths[row_id] = path
            tip = shown(path) if path else item.name
            rows.append(Row(row_id, item_cells(item), _SIGNS.get(item.kind, "piano-keys"), "t2", tip))
        some = trn("{count:,} found", "{count:,} found", len(rows))
        if found.left_out:
            some = tr("{found}, {count:,} more: say more exactly what you want", found=some, count=found.left_out)
        self.count.setText(some if rows else tr("Nothing fits"))
        self.table.show_rows(rows)
        self._turn(broken=False)
        self._renew()

    def _show_faults(self, faults: tuple[LibraryFault, ...]) -> None:
        if self._closed:
            return
        self.said.clear()
        rows = []
        for fault in faults:
            path = shown(fault.path)
            cells = (path.replace("\\", "/").rpartition("/")[2], fault.why)
            rows.append(Row(fault.path, cells, _SIGNS[_BROKEN], "bad", f"{path}\n{fault.why}"))
        self.count.setText(tr("{count:,} cannot be read", count=len(rows)) if rows else tr("All files can be read"))
        self.faults.show_rows(rows)
        self._turn(broken=True)

    def _renew(self) -> None:
        can = bool(self._paths.get(self.table.id)) and bool(split_words(self.tags.text()))
        self.tag.setEnabled(can)
        self.untag.setEnabled(can)

    def _mark(self, *, take: bool) -> None:
        path, tags = self._paths.get(self.table.id, ""), split_words(self.tags.text())
        if path and tags:
            self._kit.tasks.start(self._marked(path, tags, take=take), "window")

    async def _marked(self, path: str, tags: tuple[str, ...], *, take: bool) -> None:
        mark = self._library.untag if take else self._library.tag
        try:
            given = await mark(path, tags)
            await self._find()
        except BandleaderError as error:
            if not self._closed:
                self.said.tell_error(for_window(error))
            return
        if not self._closed:
            self.tags.setText("")
            self.said.tell(tr("Your tags: {tags}.", tags=", ".join(given) or tr("none")))


def _tempo(name: str) -> QDoubleSpinBox:
    made = QDoubleSpinBox()
    made.setRange(_ANY, _FASTEST)
    made.setDecimals(1)
    made.setSpecialValueText(tr("Any"))
    made.setAccessibleName(name)
    made.setToolTip(tr("{name} in quarter notes a minute; 0 is any", name=name))
    made.setFixedWidth(_TEMPO_WIDTH)
    return made
