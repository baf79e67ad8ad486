"""The details of an answer: folded at first, opened by mouse and keyboard, copied with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from rooms import Room

from app.ui.chat.panel import ChatPanel
from app.ui.chat.said import WordsView
from app.viewmodels.chat.entries import MessageEntry

Story = Callable[[Room, ChatPanel], Awaitable[None]]
TOLD = MessageEntry("bandleader", "Done: 3 of 3 steps.", "2026-11-22T12:00:00Z",
             details="tempo **82** → 62  \nSong & <b>x</b>")


async def view_of(room: Room, panel: ChatPanel) -> WordsView:
    room.opened.conversation.add(TOLD)
    await room.still()
    view = panel.entries.views[-1]
    assert isinstance(view, WordsView)
    return view


def test_they_are_folded_and_opened_by_key_and_mouse(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        view = await view_of(room, panel)
        details = view.details
        assert details is not None
        low = view.height()
        assert (details.button.isChecked(), details.button.accessibleName()) == (False, "Show the details")
        details.button.setFocus()
        QTest.keyClick(details.button, Qt.Key.Key_Space)
        await room.still()
        assert details.body is not None
        assert details.body.isVisible()
        assert view.height() > low
        assert details.button.accessibleName() == "Hide the details"
        QTest.mouseClick(details.button, Qt.MouseButton.LeftButton)
        assert not details.body.isVisible()
        view.setFocus()
        QTest.keyClick(view, Qt.Key.Key_Return)
        assert details.button.isChecked()

    chat(story)


def test_copying_takes_them_and_foreign_words_stay_words(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        view = await view_of(room, panel)
        view.copy()
        assert QGuiApplication.clipboard().text() == f"{TOLD.text}\n\n{TOLD.details}"
        view.activate()
        assert view._more is not None
        assert "&lt;b&gt;x" in view._more.text()
        assert "82</" in view._more.text()

    chat(story)


def test_an_answer_without_details_has_no_fold(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        room.opened.conversation.tell("bandleader", "hello")
        await room.still()
        view = panel.entries.views[-1]
        assert isinstance(view, WordsView)
        assert view.details is None

    chat(story)
