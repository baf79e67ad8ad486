"""The effects of a chain as rows of a list; the check tells whether the sound goes through."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal

from agent.song.ids import EffectId
from app.i18n import tr
from app.ui.kit.icons import icon
from app.ui.kit.widgets.labels import plain_tip
from app.viewmodels.edits.effect_chain import Link
from app.viewmodels.texts.palette_words import said

Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
ROW_HEIGHT = 24
_LONGEST = 120


class ChainModel(QAbstractListModel):
    """The effects of a chain as checkable rows. Signal `switch_wanted` carries the row whose check box was clicked; the
    row changes once the song has."""

    switch_wanted = Signal(int)

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.links: tuple[Link, ...] = ()

    def show_links(self, links: tuple[Link, ...]) -> None:
        """Show these effects; with the same ids as before the rows are only updated."""
        if [one.effect.id for one in links] == [one.effect.id for one in self.links]:
            self.links = links
            if links:
                self.dataChanged.emit(self.index(0), self.index(len(links) - 1))
            return
        self.beginResetModel()
        self.links = links
        self.endResetModel()

    def row_of(self, effect: EffectId | None) -> int | None:
        """The row of an effect; None if it is not in the chain."""
        return next((at for at, one in enumerate(self.links) if one.effect.id == effect), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        """Number of effects."""
        return 0 if parent.isValid() else len(self.links)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every effect can be selected and checked."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        kinds = Qt.ItemFlag
        return kinds.ItemIsEnabled | kinds.ItemIsSelectable | kinds.ItemIsUserCheckable | kinds.ItemNeverHasChildren

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """An effect's name, check state, and as tooltip what is wrong with it."""
        if not index.isValid() or index.row() >= len(self.links):
            return None
        link = self.links[index.row()]
        if role == _Role.DisplayRole:
            return " ".join(link.label[:_LONGEST].split())
        if role == _Role.CheckStateRole:
            return Qt.CheckState.Checked if link.effect.enabled else Qt.CheckState.Unchecked
        if role == _Role.DecorationRole:
            return icon("warning", "warn", 14) if link.kind is None else None
        if role == _Role.SizeHintRole:
            return QSize(0, ROW_HEIGHT)
        if role == _Role.ToolTipRole:
            return plain_tip(self._words(link))
        if role == _Role.AccessibleTextRole:
            state = tr("on") if link.effect.enabled else tr("bypassed")
            return tr("{place}. {effect}, {state}", place=index.row() + 1, effect=link.label[:_LONGEST], state=state)
        return None

    def setData(self, index: Index, _value: Any, role: int = _Role.EditRole) -> bool:  # noqa: N802
        """Emit `switch_wanted` for a clicked check box; the data change only with the song."""
        if not index.isValid() or role != _Role.CheckStateRole:
            return False
        self.switch_wanted.emit(index.row())
        return True

    def _words(self, link: Link) -> str:
        if link.kind is None:
            return tr("{effect} is not known here and cannot be heard. You can bypass or remove it",
                      effect=link.label[:_LONGEST])
        if not link.effect.enabled:
            return tr("{effect} is bypassed", effect=link.label)
        return said(link.kind.about)
