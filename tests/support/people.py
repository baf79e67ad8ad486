"""Somebody at the real window over a home of their own, with a mouse and a keyboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QTreeView, QWidget
from rooms import Room, in_room

from app.storage.keyring import Keys
from app.ui.kit.theme import Theme
from app.ui.plan.columns import PlanColumn
from app.ui.plan.panel import PlanPanel
from app.ui.shell.looks import Looks
from app.ui.shell.main_window import MainWindow
from app.window.views import view_factories


class Person:
    """Somebody at the window, with a mouse and a keyboard."""

    def __init__(self, room: Room, window: MainWindow) -> None:
        self.room, self.window = room, window

    def find(self, kind: type, name: str = "") -> QWidget:
        """The visible widget of a kind, by its accessible name or text."""
        for widget in self.window.findChildren(kind):
            called = (widget.accessibleName(), getattr(widget, "text", str)())
            if widget.isVisible() and (not name or any(one and name in one for one in called)):
                return widget
        raise AssertionError(f"no {kind.__name__} called {name!r} can be seen")

    async def click(self, name: str) -> None:
        """Press a button."""
        button = self.find(QPushButton, name)
        await self.room.until(button.isEnabled)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def send(self, words: str) -> None:
        """Type a request and send it."""
        box = self.find(QPlainTextEdit, "Request")
        box.setFocus()
        QTest.keyClicks(box, words)
        QTest.keyClick(box, Qt.Key.Key_Return)

    async def ask(self, words: str) -> None:
        """Send a request, and wait for its plan."""
        self.send(words)
        await self.room.until(lambda: self.room.opened.reviewing.proposal.value)
        await self.room.still()

    def action(self, name: str) -> None:
        """Do what a menu or its shortcut does."""
        self.window._refresh()
        action = self.window.actions_[name]
        assert action.isEnabled(), f"{name}: {action.toolTip()}"
        action.trigger()

    def approve(self) -> None:
        """Press the key that approves, in the plan."""
        self.plan.view.setFocus()
        self.action("plan.run")

    @property
    def plan(self) -> PlanPanel:
        return self.window.findChild(PlanPanel)

    def click_cell(self, step: str, column: int, *, double: bool = False) -> None:
        """Click a cell of the plan."""
        view: QTreeView = self.plan.view
        index = view.model().row_index(step, PlanColumn(column))
        view.scrollTo(index)
        at: QPoint = view.visualRect(index).center()
        click = QTest.mouseDClick if double else QTest.mouseClick
        click(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


async def at_window(
    theme: Theme, home: Path, story: Callable[[Person], Awaitable[None]], keys: Keys | None = None
) -> None:
    """Run a story of a person at the real window; the same home is there when it is run again."""

    async def in_window(room: Room) -> None:
        window = MainWindow(room.kit.theme, Looks("dark"))
        window.resize(1600, 1000)
        window.show()
        window.activateWindow()
        window.attach(room.desktop, room.kit, view_factories())
        try:
            await room.still()
            await story(Person(room, window))
            await room.still()
        finally:
            window.detach()
            window.hide()
            window.deleteLater()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    await in_room(theme, home, in_window, keys)
