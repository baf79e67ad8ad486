"""Nothing runs that nobody meant: keys in the request box, plans that the talk has left behind, files over a plan."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import mido
import pytest
from people import Person, at_window
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton
from qt_fixtures import Loop, garbage, qloop, theme

from app.ui.kit.theme import Theme
from app.viewmodels.chat.entries import PlanCard

__all__ = ["garbage", "qloop", "theme"]
COMPOSE = "a calm lofi beat in D minor at 82 bpm, 8 bars"
OTHER = "a slow piano piece in C minor, 8 bars"
Story = Callable[[Person], Awaitable[None]]
_CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def at_the_window(theme: Theme, tmp_path: Path, qloop: Loop) -> Callable[[Story], None]:
    """Runs a story of a person at the real window; the same home when it is run again."""
    return lambda story: qloop.run(at_window(theme, tmp_path / "home", story))


def ctrl_enter() -> None:
    """The key, to whatever has the keyboard."""
    held = QApplication.focusWidget()
    assert held is not None
    QTest.keyClick(held, Qt.Key.Key_Return, _CTRL)


def box(one: Person) -> QPlainTextEdit:
    found = one.find(QPlainTextEdit, "Request")
    assert isinstance(found, QPlainTextEdit)
    return found


def in_plan(one: Person) -> bool:
    held = QApplication.focusWidget()
    return held is not None and (held is one.plan or one.plan.isAncestorOf(held))


def asides(one: Person) -> list[bool]:
    return [entry.aside for entry in one.room.opened.conversation.entries if isinstance(entry, PlanCard)]


def midi(path: Path) -> Path:
    file = mido.MidiFile(ticks_per_beat=480)
    track = mido.MidiTrack()
    track.append(mido.Message("note_on", note=53, velocity=80, time=0))
    track.append(mido.Message("note_off", note=53, velocity=0, time=960))
    file.tracks.append(track)
    file.save(path)
    return path


def test_ctrl_enter_sends_what_is_typed_and_runs_nothing(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        await one.ask(COMPOSE)
        first = opened.reviewing.proposal.value
        text = box(one)
        text.setFocus()
        QTest.keyClicks(text, OTHER)
        ctrl_enter()
        assert text.toPlainText() == ""
        await one.room.until(lambda: opened.reviewing.proposal.value is not first)
        await one.room.still()
        assert not opened.running.busy
        assert opened.workspace.song.tracks == ()
        now = opened.reviewing.proposal.value
        assert now is not None
        assert now.plan.request == OTHER

    at_the_window(story)


def test_with_nothing_typed_ctrl_enter_goes_to_the_plan_and_only_there_approves(
    at_the_window: Callable[[Story], None],
) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        await one.ask(COMPOSE)
        box(one).setFocus()
        ctrl_enter()
        await one.room.still()
        assert in_plan(one)
        assert opened.running.live.value is None
        one.window.setFocus()
        ctrl_enter()
        await one.room.still()
        assert in_plan(one)
        assert opened.running.live.value is None
        ctrl_enter()
        await one.room.until(lambda: opened.running.live.value and opened.running.live.value.view)
        await one.room.still()
        assert opened.workspace.song.tracks

    at_the_window(story)


def test_a_key_that_is_held_sends_and_goes_no_further(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        assert not one.window.actions_["plan.run"].autoRepeat()

    at_the_window(story)


def test_words_that_are_not_sent_are_asked_about_before_a_run(at_the_window: Callable[[Story], None]) -> None:
    async def story(one: Person) -> None:
        opened = one.room.opened
        await one.ask(COMPOSE)
        QTest.keyClicks(box(one), "remove the strings from the plan")
        await one.click("Approve and run")
        await one.room.still()
        assert opened.running.live.value is None
        assert "not sent yet" in one.plan.notice.text
        await one.click("Back to the chat")
        assert QApplication.focusWidget() is box(one)
        one.plan.view.setFocus()
        ctrl_enter()
        await one.room.still()
        assert opened.running.live.value is None
        await one.click("Run without it")
        await one.room.until(lambda: opened.running.live.value and opened.running.live.value.view)
        await one.room.still()
        assert opened.workspace.song.tracks
        assert box(one).toPlainText() == "remove the strings from the plan"

    at_the_window(story)


def test_a_plan_that_another_song_has_left_behind_waits_aside_until_it_is_opened_again(
    at_the_window: Callable[[Story], None],
) -> None:
    async def leave(one: Person) -> None:
        await one.ask(COMPOSE)
        one.action("file.new")
        await one.room.until(lambda: one.room.opened.workspace.draft)
        await one.room.still()
        assert one.room.opened.reviewing.proposal.value is None
        await one.room.desktop.open(COMPOSE)
        await one.room.still()
        assert one.room.opened.reviewing.proposal.value is None
        assert asides(one) == [True]
        assert not one.window.actions_["plan.run"].isEnabled()

    async def next_day(one: Person) -> None:
        await one.room.desktop.open(COMPOSE)
        await one.room.still()
        opened = one.room.opened
        assert (asides(one), opened.reviewing.proposal.value) == ([True], None)
        one.find(QPushButton, "Reopen plan").click()
        await one.room.until(lambda: opened.reviewing.proposal.value)
        await one.room.still()
        assert asides(one) == [False]
        assert in_plan(one)
        assert opened.workspace.song.tracks == ()

    at_the_window(leave)
    at_the_window(next_day)


def test_an_opened_file_is_a_song_of_its_own_and_leaves_the_plan_aside(
    at_the_window: Callable[[Story], None], tmp_path: Path
) -> None:
    async def story(one: Person) -> None:
        await one.ask(OTHER)
        before = one.room.opened
        one.window._attached.files.bring_in(midi(tmp_path / "Ferry.mid"))
        await one.room.until(lambda: one.room.opened is not before and one.room.opened.workspace.song.tracks)
        await one.room.still()
        assert one.room.opened.workspace.name == "Ferry"
        assert one.room.opened.reviewing.proposal.value is None
        await one.room.desktop.open(OTHER)
        await one.room.still()
        assert (one.room.opened.workspace.song.tracks, asides(one)) == ((), [True])

    at_the_window(story)
