"""Keys that a person gives to actions: taken over, reset, kept, and used by menus at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.ui.kit.key_text import key_text, sequences, stored_key
from app.ui.shell.actions import ACTIONS, Action
from app.ui.shell.find_command import FindCommand
from app.ui.shell.keymap import Keymap, pressed
from app.ui.shell.keys_dialog import KeysDialog
from app.viewmodels.preferences import Shortcut

BY_ID = {one.id: one for one in ACTIONS}
KEYS = ("Ctrl+D", "M", "F9", "Ctrl+1", "Del", "Ctrl+Alt+Y", "B")
_NONE, _CTRL, _SHIFT = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier,
                        Qt.KeyboardModifier.ShiftModifier)


@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.sampled_from((*KEYS, "", "reset"))), max_size=12))
def test_however_keys_are_given_none_belongs_to_two(changes: list[tuple[Action, str]]) -> None:
    keymap = Keymap(ACTIONS)
    for action, key in changes:
        keymap = keymap.reset(action) if key == "reset" else keymap.given(action, key)
        assert keymap.keys(action) == (action.keys if key == "reset" else (key,) if key else ())
    for action in ACTIONS:
        for key in keymap.keys(action):
            assert not keymap.owners(key, action)
    assert Keymap.of(ACTIONS, keymap.kept()) == keymap


def test_who_loses_a_key_keeps_the_others() -> None:
    keymap = Keymap(ACTIONS).given(BY_ID["track.mute"], "Ctrl+Y")
    assert keymap.keys(BY_ID["edit.redo"]) == ("Ctrl+Shift+Z",)
    assert keymap.reset(BY_ID["edit.redo"]).keys(BY_ID["track.mute"]) == ()


def test_the_start_page_has_keys_of_its_own() -> None:
    assert not Keymap(ACTIONS).owners("Ctrl+1", BY_ID["plan.example1"])
    assert not Keymap(ACTIONS).owners("Ctrl+1", BY_ID["window.plan"])


def test_what_was_kept_for_actions_that_are_gone_is_left_out() -> None:
    keymap = Keymap.of(ACTIONS, (Shortcut("gone.action", ("Ctrl+D",)), Shortcut("track.mute", ("no such key", "F9"))))
    assert keymap.keys(BY_ID["track.mute"]) == ("F9",)
    assert keymap.keys(BY_ID["edit.duplicate"]) == ("Ctrl+D",)


@pytest.mark.parametrize(
    ("key", "held", "wanted"),
    [
        (Qt.Key.Key_K, _CTRL, "Ctrl+K"), (Qt.Key.Key_M, _NONE, "M"), (Qt.Key.Key_M, _SHIFT, "Shift+M"),
        (Qt.Key.Key_Control, _CTRL, ""), (Qt.Key.Key_Tab, _NONE, ""), (Qt.Key.Key_Return, _NONE, ""),
        (Qt.Key.Key_Return, _CTRL, "Ctrl+Enter"), (Qt.Key.Key_Plus, _SHIFT, "+"), (Qt.Key.Key_F5, _NONE, "F5"),
    ],
)
def test_what_is_pressed_is_what_an_action_gets(key: Qt.Key, held: Qt.KeyboardModifier, wanted: str) -> None:
    assert pressed(QKeyCombination(held, key)) == wanted
    assert stored_key(wanted) == wanted


@pytest.mark.parametrize("key", ["Ctrl+Return", "Ctrl+Enter"])
def test_both_keys_that_say_enter_are_one_key_everywhere(key: str) -> None:
    assert stored_key(key) == "Ctrl+Enter"
    assert key_text(key) == key_text("Ctrl+Return")
    assert {one.toString() for one in sequences([key])} == {"Ctrl+Enter", "Ctrl+Return"}
    first = sequences([key])[0]
    assert key_text(key) == first.toString(QKeySequence.SequenceFormat.NativeText)
    assert Keymap(ACTIONS).owners(key, BY_ID["track.mute"]) == (BY_ID["plan.run"],)


def test_a_key_is_recorded_taken_over_and_works_at_once(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.room.opened.focus.track.set("t1")
        one.run("help.shortcuts")
        dialog = one.window.findChild(KeysDialog)
        dialog.choose("track.mute")
        dialog.change.click()
        QTest.keyClick(dialog.field, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
        assert "Duplicate clips" in dialog.said.text()
        assert dialog.take.isVisible()
        dialog.take.click()
        await one.room.still()
        one.refresh()
        actions = one.window.actions_
        assert actions["track.mute"].shortcut() == QKeySequence("Ctrl+D")
        assert "Ctrl+D" in actions["track.mute"].toolTip()
        assert actions["edit.duplicate"].shortcut().isEmpty()
        dialog.accept()
        one.window.activateWindow()
        await one.room.until(one.window.isActiveWindow)
        one.window.setFocus()
        QTest.keyClick(one.window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
        assert one.log[-1] == "mute"
        QTest.keyClick(one.window, Qt.Key.Key_M)
        assert one.log.count("mute") == 1
        assert one.room.desktop.preferences.value.keys

    shown(story)


def test_esc_records_nothing_and_leaves_the_dialog_open(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.run("help.shortcuts")
        dialog = one.window.findChild(KeysDialog)
        dialog.choose("track.solo")
        dialog.change.click()
        assert dialog.field.isVisible()
        QTest.keyClick(dialog.field, Qt.Key.Key_Escape)
        assert not dialog.field.isVisible()
        assert dialog.isVisible()
        assert one.window.actions_["track.solo"].shortcut() == QKeySequence("S")
        dialog.choose("track.mute")
        dialog.remove.click()
        assert one.window.actions_["track.mute"].shortcut().isEmpty()
        dialog.reset_all.click()
        assert one.window.actions_["track.mute"].shortcut() == QKeySequence("M")
        dialog.narrow("duplicate")
        assert not dialog._items["edit.duplicate"].isHidden()
        assert dialog._items["track.mute"].isHidden()
        dialog.close()

    shown(story)


def test_a_letter_that_was_given_writes_in_a_field(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.room.opened.focus.track.set("t1")
        one.refresh()
        preferences = one.window._attached.preferences
        preferences.keep_keys(Keymap(ACTIONS).given(BY_ID["track.mute"], "W"))
        field = one.window.findChild(QLineEdit, "chat field")
        field.setFocus()
        QTest.keyClicks(field, "we")
        assert field.text() == "we"
        assert "mute" not in one.log
        one.window.setFocus()
        QTest.keyClick(one.window, Qt.Key.Key_W)
        assert one.log[-1] == "mute"

    shown(story)


def test_the_list_of_commands_is_part_of_the_window_and_gives_the_keyboard_back(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.window.activateWindow()
        held = one.window.findChild(QLineEdit, "chat field")
        held.setFocus()
        one.run("window.find")
        await one.room.still()
        finder = one.window.findChild(FindCommand)
        assert not finder.isWindow(), "screen readers are told of no windows that pop up"
        assert finder.field.hasFocus()
        QTest.keyClick(finder.field, Qt.Key.Key_Escape)
        await one.room.still()
        assert one.window.findChild(FindCommand) is None
        assert held.hasFocus()
        one.run("window.find")
        await one.room.still()
        held.setFocus()
        await one.room.still()
        assert one.window.findChild(FindCommand) is None, "it is left like any popup"

    shown(story)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_commands_that_were_found_are_first_the_next_time_and_tracks_are_found_too(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        projects = one.room.desktop.studio.projects
        await projects.create("Night Ferry")
        one.run("window.find")
        await one.room.still()
        finder = one.window.findChild(FindCommand)
        finder.field.setText("about")
        QTest.keyClick(finder.field, Qt.Key.Key_Return)
        await one.room.still()
        assert one.room.desktop.preferences.value.recent == ("help.about",)
        one.run("window.find")
        await one.room.still()
        again = one.window.findChildren(FindCommand)[-1]
        assert again.list.item(0).text().startswith("About")
        again.field.setText("night")
        QTest.keyClick(again.field, Qt.Key.Key_Return)
        await one.room.until(lambda: one.room.opened.workspace.name == "Night Ferry")

    shown(story)
