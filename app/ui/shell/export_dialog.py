"""What to export and where to: formats with their uses, a path, one button."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLineEdit, QListWidgetItem, QVBoxLayout, QWidget

from app.i18n import lazy, tr
from app.paths import PathError, named_path
from app.ui.kit.widgets.buttons import FlatButton, MainButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.row_list import RowList

if TYPE_CHECKING:
    from app.services.formats import Format

_WORDS: tuple[tuple[Format, str], ...] = (
    ("mid", lazy("MIDI file, for other music programs")),
    ("wav", lazy("WAV, 48 kHz, 24 bit")),
    ("flac", lazy("FLAC, without loss, smaller")),
    ("ogg", lazy("Ogg Vorbis, small")),
    ("mp3", lazy("MP3, small, plays everywhere")),
    ("stems", lazy("Stems, a folder with one WAV per track")),
    ("leadsheet", lazy("Lead sheet: tune, chords and form on A4, to be printed")),
    ("chordpro", lazy("ChordPro, chords and form as text")),
)
_WIDTH = 560
_MARGIN, _GAP = 16, 8


class ExportDialog(QDialog):
    """Asks for a format and a path; at first that of a file in `folder` whose name without suffix is `stem`. Signal
    `wanted` carries both, and whether the button said that an existing file would be replaced."""

    wanted = Signal(str, object, bool)

    def __init__(self, parent: QWidget, folder: Path, stem: str) -> None:
        super().__init__(parent)
        self._folder, self._stem = folder, stem
        self._replaces = False
        self.setWindowTitle(tr("Export"))
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self.formats = RowList(tr("Format"), whole=True)
        for form, words in _WORDS:
            item = QListWidgetItem(tr(words))
            item.setData(Qt.ItemDataRole.UserRole, form)
            self.formats.addItem(item)
        self.path = QLineEdit()
        self.path.setAccessibleName(tr("Export to"))
        self.export = MainButton(tr("Export"))
        self.export.setDefault(True)
        self._lay_out()
        self.formats.currentItemChanged.connect(lambda *_: self._propose())
        self.path.textChanged.connect(self._typed)
        self.formats.setCurrentRow(0)

    @property
    def form(self) -> Format:
        """The format that is chosen."""
        found: Format = self.formats.currentItem().data(Qt.ItemDataRole.UserRole)
        return found

    def _lay_out(self) -> None:
        choose = PlainButton(tr("Choose…"), tip=tr("Choose where to export to"))
        choose.clicked.connect(self._choose)
        cancel = FlatButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.export.clicked.connect(self._take)
        line, end = QHBoxLayout(), QHBoxLayout()
        line.addWidget(self.path, 1)
        line.addWidget(choose)
        end.addStretch()
        end.addWidget(cancel)
        end.addWidget(self.export)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        for widget in (PlainLabel(tr("Format"), tone="t3"), self.formats, PlainLabel(tr("To"), tone="t3")):
            column.addWidget(widget)
        column.addLayout(line)
        column.addLayout(end)

    def _ending(self) -> str:
        from app.services.exporting import file_ending

        return " stems" if self.form == "stems" else file_ending(self.form)

    def _propose(self) -> None:
        """A name that no file has."""
        ending, number = self._ending(), 2
        path = self._folder / f"{self._stem}{ending}"
        while path.exists():
            path = self._folder / f"{self._stem} {number}{ending}"
            number += 1
        self.path.setText(str(path))

    def _typed(self, text: str) -> None:
        """The button says it where a file would be lost."""
        path = _path_of(text)
        self.export.setEnabled(path is not None)
        self._replaces = path is not None and os.path.exists(path)
        self.export.say(tr("Replace {file}", file=path.name[:40]) if path and self._replaces else tr("Export"))

    def _choose(self) -> None:
        dialog = QFileDialog(self, tr("Export to"), self.path.text())
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.form != "stems":
            dialog.setDefaultSuffix(self._ending().removeprefix("."))
        dialog.fileSelected.connect(self.path.setText)
        dialog.open()

    def _take(self) -> None:
        path = _path_of(self.path.text())
        if path is not None:
            self.wanted.emit(self.form, path, self._replaces)
            self.accept()


def _path_of(text: str) -> Path | None:
    """The path that is typed; None while no file can have it."""
    try:
        return named_path(text.strip()) if text.strip() else None
    except PathError:
        return None
