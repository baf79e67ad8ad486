"""Attaching, short commands, finding, writing anew and copying in the chat, by mouse and keyboard."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from rooms import Room

from agent.song.edits import CreateTrack
from agent.song.ids import TrackId
from agent.song.locks import BarsLock, TrackLock
from app.ui.chat.built_entries import WINDOW
from app.ui.chat.panel import ChatPanel
from app.ui.chat.said import QueuedView, WordsView
from app.ui.kit.widgets.chip import Chip
from app.viewmodels.chat.attaching import RequestScope
from app.viewmodels.chat.entries import MessageEntry, PlanCard

Story = Callable[[Room, ChatPanel], Awaitable[None]]
PAD = TrackId("tpad")


def written(panel: ChatPanel, words: str, *keys: Qt.Key) -> None:
    panel.focus_request()
    QTest.keyClicks(panel.box.text, words)
    for key in keys:
        QTest.keyClick(panel.box.text, key)


def said(room: Room) -> list[str]:
    return [one.text for one in room.opened.conversation.entries if isinstance(one, MessageEntry)]


async def with_pad(room: Room) -> None:
    await room.opened.edit((CreateTrack(name="Pad", instrument="pad_warm", track_id=PAD),), "Add Pad")
    room.opened.focus.track.set(PAD)
    room.opened.focus.bars.set((2, 4))
    await room.still()


def test_what_is_selected_is_attached_and_taken_away_by_its_cross(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        row = panel.box.attached
        assert not row.isVisible()
        assert not panel.attach()
        await with_pad(room)
        assert row.button.isVisible()
        assert row.button.accessibleName() == "Attach Pad, Bars 2–4"
        QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
        await room.still()
        assert [chip.label.text() for chip in row.chips] == ["Pad", "Bars 2–4"]
        assert not row.button.isVisible()
        cross = row.chips[0].cross
        assert cross is not None
        QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
        await room.still()
        assert row.scope == RequestScope(bars=(2, 4))
        assert [chip.label.text() for chip in row.chips] == ["Bars 2–4"]
        assert row.button.isVisible()

    chat(story)


def test_what_is_attached_goes_with_one_request(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await with_pad(room)
        assert panel.attach()
        written(panel, "make it louder", Qt.Key.Key_Return)
        await room.until(lambda: room.opened.conversation.entries)
        await room.still()
        first = room.opened.conversation.entries[0]
        assert isinstance(first, MessageEntry)
        assert first.attached == ("Pad", "Bars 2–4")
        assert panel.box.attached.scope.whole
        view = panel.entries.views[0]
        assert isinstance(view, WordsView)
        assert "Pad, Bars 2–4" in view.accessibleDescription()
        QTest.mouseClick(view.edit_button, Qt.MouseButton.LeftButton)
        assert panel.box.text.toPlainText() == "make it louder"
        assert panel.box.attached.scope == first.scope

    chat(story)


def test_a_request_that_waits_shows_what_it_is_bound_to_and_is_taken_out(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await with_pad(room)
        go_on, planning = asyncio.Event(), room.opened.studio.planning
        propose = planning.propose

        async def held(*given: Any, **named: Any) -> Any:
            await go_on.wait()
            return await propose(*given, **named)

        planning.propose = held  # type: ignore[method-assign]
        panel.ask("a calm lofi song in D minor, 8 bars")
        await room.until(lambda: room.opened.asking.busy)
        assert panel.attach()
        written(panel, "make it louder", Qt.Key.Key_Return)
        panel.ask("a lofi beat")
        await room.until(lambda: sum(isinstance(view, QueuedView) for view in panel.entries.views) == 2)
        first, second = [view for view in panel.entries.views if isinstance(view, QueuedView)]
        assert [chip.label.text() for chip in first.findChildren(Chip)] == ["Pad", "Bars 2–4"]
        assert "Waits for the request before it" in first.accessibleName()
        QTest.mouseClick(second.back_button, Qt.MouseButton.LeftButton)
        assert room.opened.asking.waiting.value == ("make it louder",)
        QTest.mouseClick(first.edit_button, Qt.MouseButton.LeftButton)
        assert room.opened.asking.waiting.value == ()
        assert panel.box.text.toPlainText() == "make it louder"
        assert panel.box.attached.scope == RequestScope(tracks=(PAD,), bars=(2, 4))
        go_on.set()
        await room.until(lambda: not room.opened.asking.busy)
        await room.still()
        yours = [
            one for one in room.opened.conversation.entries if isinstance(one, MessageEntry) and one.author == "you"
        ]
        assert [one.note for one in yours] == ["", "Taken back", "Taken back"]
        assert sum(isinstance(one, PlanCard) for one in room.opened.conversation.entries) == 1

    chat(story)


def test_commands_are_completed_and_chosen_by_keys(chat: Callable[..., None]) -> None:
    done: list[str] = []

    async def story(room: Room, panel: ChatPanel) -> None:
        written(panel, "/te")
        assert panel.slashes.isVisible()
        assert panel.slashes.count() == 1
        QTest.keyClick(panel.box.text, Qt.Key.Key_Tab)
        assert panel.box.text.toPlainText() == "/tempo "
        assert not panel.slashes.isVisible()
        panel.box.text.put("")
        written(panel, "/un", Qt.Key.Key_Down)
        assert "undo" in panel.box.text.accessibleDescription()
        QTest.keyClick(panel.box.text, Qt.Key.Key_Return)
        assert done == ["edit.undo"]
        assert panel.box.text.toPlainText() == ""
        written(panel, "/ex", Qt.Key.Key_Escape)
        assert not panel.slashes.isVisible()
        assert panel.box.text.toPlainText() == "/ex"
        QTest.keyClick(panel.box.text, Qt.Key.Key_P)
        assert panel.slashes.isVisible()
        item = panel.slashes.item(0)
        QTest.mouseClick(panel.slashes.viewport(), Qt.MouseButton.LeftButton,
                         pos=panel.slashes.visualItemRect(item).center())
        assert done == ["edit.undo", "file.export"]

    chat(story, lambda name: bool(done.append(name)) or True)


def test_an_unknown_command_stays_in_the_box_and_is_told(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        written(panel, "/foo bar", Qt.Key.Key_Return)
        await room.still()
        assert panel.box.text.toPlainText() == "/foo bar"
        assert "/foo" in panel.box.note.text()
        assert room.opened.conversation.entries == []
        QTest.keyClicks(panel.box.text, "x")
        assert "/foo" not in panel.box.note.text()

    chat(story)


def test_locks_are_set_and_let_go_from_the_box(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        await with_pad(room)
        written(panel, "/lock bars 9-16", Qt.Key.Key_Return)
        await room.until(lambda: room.opened.locks.value)
        written(panel, "/lock Pad", Qt.Key.Key_Return)
        await room.until(lambda: len(room.opened.locks.value) == 2)
        assert room.opened.locks.value == (BarsLock(9, 16), TrackLock(PAD))
        written(panel, "/unlock pad", Qt.Key.Key_Return)
        await room.until(lambda: room.opened.locks.value == (BarsLock(9, 16),))
        written(panel, "/lock Nobody", Qt.Key.Key_Return)
        await room.still()
        assert room.opened.locks.value == (BarsLock(9, 16),)
        assert any("Nobody" in trouble.what for trouble in room.told)

    chat(story)


def test_an_action_that_is_not_possible_is_said(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        written(panel, "/redo ", Qt.Key.Key_Return)
        await room.still()
        assert said(room) == ["/redo is not possible now."]
        written(panel, "/help ", Qt.Key.Key_Return)
        await room.still()
        assert "/tempo" in said(room)[-1]

    chat(story)


def test_words_are_found_in_a_very_long_conversation(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk = room.opened.conversation
        for number in range(2000):
            needle = " needle" if number % 900 == 7 else ""
            talk.add(MessageEntry("you" if number % 2 else "bandleader", f"words {number}{needle}"))
        await room.still()
        panel.entries.setFocus()
        QTest.keyClick(panel.entries, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert panel.finder.isVisible()
        QTest.keyClicks(panel.finder.line, "NEEDLE")
        await room.still()
        assert panel.finder.count.text() == "3 of 3"
        marked = [view.copied for view in panel.entries.views if view.marked]
        assert marked == ["words 1807 needle"]
        QTest.keyClick(panel.finder.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClick(panel.finder.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        await room.still()
        [view] = [view for view in panel.entries.views if view.marked]
        assert view.copied == "words 7 needle"
        assert panel.finder.count.text() == "1 of 3"
        assert len(panel.entries.views) <= 4 * WINDOW
        top = view.mapTo(panel.entries.viewport(), view.rect().topLeft()).y()
        assert 0 <= top < panel.entries.viewport().height()
        talk.add(MessageEntry("bandleader", "news"))
        await room.still()
        assert panel.entries.below.isVisible()
        QTest.keyClick(panel.finder.line, Qt.Key.Key_Escape)
        assert not panel.finder.isVisible()
        assert not any(view.marked for view in panel.entries.views)
        panel.entries.below.click()
        await room.still()
        assert panel.entries.views[-1].copied == "news"

    chat(story)


def test_earlier_and_later_messages_come_while_scrolling(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk, bar = room.opened.conversation, panel.entries.verticalScrollBar()
        for number in range(300):
            talk.add(MessageEntry("you", f"words {number}"))
        await room.until(lambda: len(panel.entries.views) == WINDOW)
        await room.still()
        assert panel.entries.views[0].copied == f"words {300 - WINDOW}"
        bar.setValue(20)
        await room.still()
        first = panel.entries.views[0].copied
        assert first != f"words {300 - WINDOW}"
        panel.entries.show_entry(0)
        await room.still()
        assert panel.entries.views[0].copied == "words 0"
        while panel.entries.views[-1].copied != "words 299":
            bar.setValue(bar.maximum())
            await room.still()

    chat(story)


def test_code_and_whole_answers_are_copied(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk = room.opened.conversation
        talk.add(MessageEntry("you", "why?"))
        talk.add(MessageEntry("bandleader", "Because:\n\n```\nx = 1\n```"))
        talk.add(MessageEntry("bandleader", "And so."))
        talk.add(MessageEntry("you", "ah"))
        await room.still()
        texts = {}
        for action in panel.entries.views[1].menu().actions():
            action.trigger()
            texts[action.text()] = QGuiApplication.clipboard().text()
        assert texts["Copy code"] == "x = 1\n"
        assert texts["Copy the whole answer"] == "Because:\n\n```\nx = 1\n```\n\nAnd so."
        again = {action.text(): action for action in panel.entries.views[0].menu().actions()}
        again["Edit and send again"].trigger()
        assert panel.box.text.toPlainText() == "why?"
        assert len(talk.entries) == 4

    chat(story)


def test_a_very_long_answer_shows_its_beginning_and_all_of_it_on_demand(chat: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: ChatPanel) -> None:
        talk = room.opened.conversation
        at = talk.add(MessageEntry("bandleader", "**word** " * 10, growing=True))
        await room.still()
        [view] = panel.entries.views
        assert isinstance(view, WordsView)
        assert not view.whole.isVisible()
        text = "**word** " * 120_000
        talk.put(at, MessageEntry("bandleader", text))
        await room.still()
        assert view.whole.button.text() == "Show all 1,080,000 characters"
        assert len(view.label.text()) < 10_000
        QTest.mouseClick(view.whole.button, Qt.MouseButton.LeftButton)
        assert view.whole.button.text() == "Show less"
        assert view.copied == text

    chat(story)
