"""A list of words to choose from, with rows that the eye and the pointer find."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize
from PySide6.QtWidgets import QListWidget, QStyledItemDelegate, QStyleOptionViewItem, QWidget

ROW_HEIGHT = 28
_ICON = 14


class RowList(QListWidget):
    """A list with rows of 28 px; `name` is its accessible name. With `whole` it is as high as all its rows and does not
    scroll."""

    def __init__(self, name: str, parent: QWidget | None = None, *, whole: bool = False) -> None:
        super().__init__(parent)
        self._whole = whole
        self.setAccessibleName(name)
        self.setIconSize(QSize(_ICON, _ICON))
        self.setItemDelegate(_Rows(self))

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().sizeHint().width(), self._height()) if self._whole else super().sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(super().minimumSizeHint().width(), self._height()) if self._whole else super().minimumSizeHint()

    def _height(self) -> int:
        rows = sum(self.sizeHintForRow(row) for row in range(self.count()) if not self.isRowHidden(row))
        return rows + 2 * self.frameWidth()


class _Rows(QStyledItemDelegate):
    """Gives every row its height, however small the text."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: N802
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), max(ROW_HEIGHT, hint.height()))
