"""The keyboard follows a plan that answers what was sent, and Esc leads back; in the real window."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from rooms import Room, in_room

from app.ui.chat.panel import ChatPanel
from app.ui.kit.theme import Theme
from app.ui.plan.panel import PlanPanel
from app.ui.shell.dock_names import MIXER
from app.ui.shell.looks import Looks
from app.ui.shell.main_window import MainWindow
from app.window.views import view_factories

REQUEST = "a calm lofi beat, 4 bars"


class Desk:
    """A real window that has the keyboard."""

    def __init__(self, room: Room, window: MainWindow) -> None:
        self.room, self.window = room, window

    @property
    def chat(self) -> ChatPanel:
        found = self.window.findChild(ChatPanel)
        assert isinstance(found, ChatPanel)
        return found

    @property
    def plan(self) -> PlanPanel:
        found = self.window.findChild(PlanPanel)
        assert isinstance(found, PlanPanel)
        return found

    async def send(self, words: str) -> None:
        """Write a request and send it by Enter."""
        self.chat.focus_request()
        QTest.keyClicks(self.chat.box.text, words)
        QTest.keyClick(self.chat.box.text, Qt.Key.Key_Return)

    async def planned(self) -> None:
        await self.room.until(lambda: self.room.opened.reviewing.proposal.value)
        await self.room.still()

    def press(self, key: Qt.Key) -> None:
        """A key to whatever has the keyboard."""
        held = QApplication.focusWidget()
        assert held is not None
        QTest.keyClick(held, key)

    def has(self, widget: QWidget) -> bool:
        return QApplication.focusWidget() is widget


@pytest.fixture
def desk(qloop: Any, theme: Theme, tmp_path: Path) -> Callable[[Callable[[Desk], Awaitable[None]]], None]:
    def run(story: Callable[[Desk], Awaitable[None]]) -> None:
        async def work(room: Room) -> None:
            window = MainWindow(theme, Looks())
            window.resize(1600, 1000)
            window.show()
            window.attach(room.desktop, room.kit, view_factories())
            await room.still()
            window.activateWindow()
            await room.until(window.isActiveWindow)
            try:
                await story(Desk(room, window))
                await room.still()
            finally:
                window.detach()
                window.close()
                window.deleteLater()

        qloop.run(in_room(theme, tmp_path, work))

    return run


def test_letters_are_commands_as_soon_as_the_plan_is_there(
    desk: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def told(event: object) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", told)

    async def story(one: Desk) -> None:
        one.window.docks.bring(MIXER)
        await one.send(REQUEST)
        await one.planned()
        assert one.has(one.plan.view)
        assert one.plan.view.isVisible()
        count = len(one.room.opened.reviewing.proposal.value.plan.steps)  # type: ignore[union-attr]
        assert said == [f"A plan with {count} steps. Escape goes back to the request."]
        assert one.plan.view.currentIndex().isValid()
        assert one.plan.view.steps() == []
        side = one.room.opened.focus.side
        one.press(Qt.Key.Key_B)
        assert (side.value, one.chat.box.text.toPlainText()) == ("plan", "")
        one.press(Qt.Key.Key_Escape)
        assert one.has(one.chat.box.text)

    desk(story)


def test_who_is_writing_goes_on_writing(desk: Callable[..., None]) -> None:
    async def story(one: Desk) -> None:
        await one.send(REQUEST)
        QTest.keyClicks(one.chat.box.text, "and")
        await one.planned()
        assert one.has(one.chat.box.text)
        one.press(Qt.Key.Key_B)
        assert one.chat.box.text.toPlainText() == "andb"

    desk(story)


def test_who_went_elsewhere_stays_there(desk: Callable[..., None]) -> None:
    async def story(one: Desk) -> None:
        await one.send(REQUEST)
        await one.room.until(lambda: one.room.opened.asking.busy)
        one.window._refresh()
        one.window.actions_.run("window.timeline")
        held = QApplication.focusWidget()
        assert one.room.opened.reviewing.proposal.value is None
        await one.planned()
        assert held is not None
        assert one.has(held)
        assert not one.chat.isAncestorOf(held)

    desk(story)


def test_the_way_back_ends_with_the_plan(desk: Callable[..., None]) -> None:
    async def story(one: Desk) -> None:
        await one.send(REQUEST)
        await one.planned()
        assert one.has(one.plan.view)
        await one.room.approve()
        await one.room.still()
        one.press(Qt.Key.Key_Escape)
        await one.room.still()
        assert not one.has(one.chat.box.text)

    desk(story)


def test_the_way_back_ends_where_one_goes_on(desk: Callable[..., None]) -> None:
    async def story(one: Desk) -> None:
        await one.send(REQUEST)
        await one.planned()
        one.window.actions_.run("window.timeline")
        one.plan.view.setFocus()
        one.press(Qt.Key.Key_Escape)
        await one.room.still()
        assert not one.has(one.chat.box.text)

    desk(story)
