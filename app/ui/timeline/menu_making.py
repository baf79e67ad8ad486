"""Menus and their entries: with icon and key, and names as they are however odd."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.kit.icons import icon
from app.ui.kit.key_text import key_text


def new_menu(parent: QWidget) -> QMenu:
    """A menu that deletes itself once it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    return menu


def add(menu: QMenu, words: str, act: Callable[[], object], mark: str = "", keys: str = "") -> QAction:
    """Add one entry with icon `mark` and the text of its key; `words` are shown literally, cut if too long. `act` is
    called when it is triggered."""
    made = menu.addAction(plain_entry(words) + (f"\t{keys}" if keys else ""))
    if mark:
        made.setIcon(icon(mark))
    made.triggered.connect(lambda: act())
    return made


def keys_of(view: QWidget, action: str) -> str:
    """The current key of an action of the window, by its id; empty for none."""
    found = view.window().findChild(QAction, action)
    return "" if found is None else key_text(found.shortcut().toString())


def plain_entry(words: str) -> str:
    """The text on one line, cut if too long, with & escaped so that it is no mnemonic."""
    return " ".join(words[:80].split()).replace("&", "&&")
