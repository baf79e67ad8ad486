"""Things to choose from under headings, as rows of a list that can be searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFont

from app.ui.kit.theme import font
from app.viewmodels.edits.choices import SoundChoice, found

Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
ROW_HEIGHT = 24
_HEADING_PIXELS = 11


class ChoiceModel(QAbstractListModel):
    """Choices by group, with a heading above each group that cannot be selected."""

    def __init__(self, choices: Sequence[SoundChoice], parent: Any = None) -> None:
        super().__init__(parent)
        self._all = tuple(choices)
        self._heading: QFont = font(_HEADING_PIXELS, 600)
        self._rows: list[SoundChoice | str] = []
        self.search("")

    def search(self, text: str) -> None:
        """Show only the choices that match these words."""
        self.beginResetModel()
        self._rows = []
        for choice in found(self._all, text):
            if not self._rows or not isinstance(self._rows[-1], SoundChoice) or self._rows[-1].group != choice.group:
                self._rows.append(choice.group)
            self._rows.append(choice)
        self.endResetModel()

    def choice(self, row: int) -> SoundChoice | None:
        """The choice in a row; None for a heading or a row that does not exist."""
        one = self._rows[row] if 0 <= row < len(self._rows) else None
        return one if isinstance(one, SoundChoice) else None

    def row_of(self, key: str) -> int | None:
        """The row of the choice with this key; None if it is not shown."""
        return next((at for at, one in enumerate(self._rows) if isinstance(one, SoundChoice) and one.key == key), None)

    def next_row(self, row: int, by: int) -> int:
        """The next row with a choice after (`by` 1) or before (-1) `row`; `row` itself if there is none."""
        at = row + by
        while 0 <= at < len(self._rows) and not isinstance(self._rows[at], SoundChoice):
            at += by
        return at if 0 <= at < len(self._rows) else row

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        """Number of rows, headings included."""
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings cannot be selected."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self.choice(index.row()) is None:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """Label, tooltip, and font and colour of headings."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        one = self._rows[index.row()]
        if role == _Role.SizeHintRole:
            return QSize(0, ROW_HEIGHT)
        if isinstance(one, str):
            return {_Role.DisplayRole: one, _Role.FontRole: self._heading}.get(_Role(role))
        if role == _Role.DisplayRole:
            return one.label
        if role in (_Role.ToolTipRole, _Role.AccessibleDescriptionRole):
            return one.about or None
        return None
