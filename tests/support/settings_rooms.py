"""The settings over a real studio, for tests of the pages of services."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar, cast

from key_rings import Memory
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QTreeView, QWidget
from rooms import Room, in_room
from shiboken6 import isValid

from app.storage.keyring import Keys
from app.ui.kit.theme import Theme
from app.ui.settings.dialog import SettingsDialog

P = TypeVar("P")


class Settings:
    """An open dialog in a room."""

    def __init__(self, room: Room, memory: Memory) -> None:
        self.room, self.memory = room, memory
        self.studio = room.desktop.studio
        self.dialog = SettingsDialog(None, room.kit, room.opened.choosing, room.desktop.services)

    async def page(self, name: str, kind: type[P]) -> P:
        """A page, once it has looked."""
        self.dialog.open_page(name)
        await self.room.still()
        found = self.dialog.pages[name]
        assert isinstance(found, kind)
        return found

    def again(self) -> None:
        """Close the dialog and open another."""
        self.dialog.close()
        self.dialog = SettingsDialog(None, self.room.kit, self.room.opened.choosing, self.room.desktop.services)

    def texts(self) -> list[str]:
        """All words that the dialog shows or would read aloud."""
        found: list[str] = []
        for widget in self.dialog.findChildren(QWidget):
            found += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
            if isinstance(widget, QLabel | QLineEdit):
                found.append(widget.text())
            elif isinstance(widget, QPlainTextEdit):
                found.append(widget.toPlainText())
            elif isinstance(widget, QTreeView):
                found += cells(widget)
        return found


def cells(table: QTreeView) -> list[str]:
    """The words of a table."""
    model = table.model()
    return [
        cast("str", model.index(row, column).data())
        for row in range(model.rowCount()) for column in range(model.columnCount())
    ]


async def in_settings(theme: Theme, home: Path, story: Callable[[Settings], Awaitable[None]]) -> None:
    """Run a story over a home of its own, with a keyring that is gone with the test."""
    memory = Memory()

    async def in_it(room: Room) -> None:
        settings = Settings(room, memory)
        try:
            await story(settings)
        finally:
            if isValid(settings.dialog):
                settings.dialog.close()
            await room.still()

    await in_room(theme, home, in_it, Keys(backend=memory))
