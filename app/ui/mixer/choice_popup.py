"""A list under a search line, over everything else, from which one thing is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.theme import font
from app.ui.kit.widgets.labels import PlainLabel
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


_WIDTH, _HEIGHT = 260, 340
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class ChoicePopup(QFrame):
    """A pop-up list with a search field: up and down move in the list, Enter or a click chooses, Esc closes. `current`
    is the key of the choice that is selected at first. It deletes itself."""

    chosen = Signal(str)

    def __init__(self, title: str, choices: Sequence[SoundChoice], current: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(title)
        self.setProperty("card", "plain")
        self.model = ChoiceModel(choices, self)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(tr("Search"))
        self.search.setAccessibleName(tr("Search: {what}", what=title))
        self.search.textChanged.connect(self._search)
        self.search.installEventFilter(self)
        self.view = QListView(self)
        self.view.setAccessibleName(title)
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.clicked.connect(lambda index: self._choose(index.row()))
        self.nothing = PlainLabel(tr("Nothing has these words"), self, tone="t3")
        self.nothing.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(6)
        column.addWidget(self.search)
        column.addWidget(self.nothing)
        column.addWidget(self.view, 1)
        self.resize(_WIDTH, _HEIGHT)
        self._go(self.model.row_of(current) if current else None)

    def open_at(self, place: QPoint) -> None:
        """Show it below a point of the screen, moved to fit on the screen."""
        area = self.screen().availableGeometry()
        x = max(area.left(), min(place.x(), area.right() - self.width()))
        y = max(area.top(), min(place.y(), area.bottom() - self.height()))
        self.move(x, y)
        self.show()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802, ARG002
        """Pass arrow keys and Enter from the search field to the list."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = _STEPS.get(Qt.Key(event.key()))
            if step is not None:
                self._go(self.model.next_row(self.view.currentIndex().row(), step))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.view.currentIndex().row())
                return True
        return False

    def _search(self, text: str) -> None:
        self.model.search(text)
        self.nothing.setVisible(not self.model.rowCount())
        self._go(None)

    def _go(self, row: int | None) -> None:
        first = self.model.next_row(-1, 1)
        row = first if row is None else row
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row))
            # Over the first choice stands the name of its group.
            self.view.scrollTo(self.model.index(0 if row == first else row), QListView.ScrollHint.EnsureVisible)

    def _choose(self, row: int) -> None:
        choice = self.model.choice(row)
        if choice is not None:
            self.close()
            self.chosen.emit(choice.key)
