"""The search in the history, and the filter beside it."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton, QWidget

from app.i18n import tr
from app.ui.history.rows import author_words
from app.ui.kit.widgets.buttons import IconButton
from app.viewmodels.history.version_filter import Author, VersionFilter

_HEIGHT = 36
_SIDE = 8
_TYPING_MS = 150


class FilterBar(QWidget):
    """Search field and filter of the history. Signal `changed` is emitted for another filter; typed words count after a
    short pause."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(_HEIGHT)
        self._wanted = VersionFilter()
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Search iterations"))
        self.field.setAccessibleName(tr("Search iterations"))
        self.field.setClearButtonEnabled(True)
        self.field.setMaxLength(200)
        for button in self.field.findChildren(QToolButton):
            button.setAccessibleName(tr("Clear the search"))
            button.setToolTip(tr("Clear the search"))
        self.button = IconButton("funnel", tr("Filter iterations"), checkable=True)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setMenu(self._menu())
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 4, _SIDE, 4)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self.button)
        self.typing = QTimer(self)
        self.typing.setSingleShot(True)
        self.typing.setInterval(_TYPING_MS)
        self.typing.timeout.connect(self._search)
        self.field.textChanged.connect(lambda _: self.typing.start())

    @property
    def wanted(self) -> VersionFilter:
        """The filter that is set."""
        return self._wanted

    def clear(self) -> None:
        """Reset the filter, so that everything is shown."""
        for action in (self.no_hand, self.named):
            action.setChecked(False)
        self.authors[None].setChecked(True)
        self.field.clear()
        self.typing.stop()
        self._set(VersionFilter())

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        self.no_hand = self._switch(menu, tr("Hide changes by hand"))
        self.named = self._switch(menu, tr("Only named iterations"))
        menu.addSeparator()
        group = QActionGroup(menu)
        self.authors: dict[Author | None, QAction] = {}
        choices: tuple[tuple[Author | None, str], ...] = (
            (None, tr("By everyone")), ("you", author_words("you")), ("agent", author_words("agent")),
            ("import", author_words("import")),
        )
        for author, words in choices:
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(author is None)
            action.triggered.connect(lambda _=False, author=author: self._set(replace(self._wanted, author=author)))
            group.addAction(action)
            self.authors[author] = action
        menu.addSeparator()
        menu.addAction(tr("Show everything"), self.clear)
        return menu

    def _switch(self, menu: QMenu, words: str) -> QAction:
        action = menu.addAction(words)
        action.setCheckable(True)
        action.triggered.connect(lambda _: self._set(
            replace(self._wanted, no_hand=self.no_hand.isChecked(), named=self.named.isChecked())
        ))
        return action

    def _search(self) -> None:
        self._set(replace(self._wanted, words=" ".join(self.field.text().split())))

    def _set(self, wanted: VersionFilter) -> None:
        set_apart = replace(wanted, words="").active
        self.button.setChecked(set_apart)
        self.button.setToolTip(tr("Some iterations are hidden by the filter") if set_apart
                               else tr("Filter iterations"))
        if wanted != self._wanted:
            self._wanted = wanted
            self.changed.emit(wanted)
