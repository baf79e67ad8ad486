"""The table of actions: reachable, unique in their keys, named, and out of the way of text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow, QPushButton

from app.ui.shell.action_context import ActionContext, need_timeline, need_welcome
from app.ui.shell.action_set import ActionSet
from app.ui.shell.actions import ACTIONS, Action
from app.ui.shell.find_command import action_entries
from app.ui.shell.finding import found
from app.ui.shell.window_frame import TitleBar

STORIES = (
    ActionContext(), ActionContext(open=True, welcome=True), ActionContext(open=True),
    ActionContext(
        open=True, proposal=True, approved=3, clips_chosen=True, track_chosen=True, notes=4, undo="a", redo="b"
    ),
    ActionContext(open=True, running=True, failed=True, unfinished=True, loop=True, playing=True),
)


@pytest.mark.usefixtures("qapp")
def test_no_key_belongs_to_two_actions_that_are_possible_together() -> None:
    owners: dict[str, list[Action]] = defaultdict(list)
    for action in ACTIONS:
        for key in action.keys:
            owners[QKeySequence(key).toString()].append(action)
    for key, actions in owners.items():
        for now in STORIES:
            possible = [one.id for one in actions if not one.need(now)]
            assert len(possible) <= 1, f"{key} in {now}"
        if len(actions) > 1:
            assert {one.need for one in actions} == {need_welcome, need_timeline}


def test_every_key_is_one_that_qt_knows() -> None:
    for action in ACTIONS:
        for key in action.keys:
            assert QKeySequence(key).count() == 1
            assert QKeySequence(key)[0].key() != Qt.Key.Key_unknown


def test_ids_are_unique() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)


def test_every_action_is_in_its_menu_with_words_and_keys_in_its_tip(qtbot) -> None:  # type: ignore[no-untyped-def]
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = TitleBar()
    qtbot.addWidget(bar)
    actions = ActionSet(window)
    actions.fill(bar.menus)
    for now in STORIES:
        actions.show(now)
        for menu, filled in bar.menus.items():
            assert filled.title() == menu.value
            made = [one for one in filled.actions() if not one.isSeparator()]
            wanted = [one for one in ACTIONS if one.menu is menu]
            assert [one.objectName() for one in made] == [one.id for one in wanted]
            for face, action in zip(made, wanted, strict=True):
                assert face.text().strip()
                if action.keys:
                    assert face.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in face.toolTip()
                assert face.isEnabled() or len(face.toolTip()) > len(face.text())


@pytest.mark.parametrize("what", ["Moved bass & drums", "", "Tempo 84 BPM"])
def test_undo_names_what_it_takes_back(qtbot, what: str) -> None:  # type: ignore[no-untyped-def]
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = ActionSet(window)
    actions.show(ActionContext(open=True, undo=what))
    assert actions["edit.undo"].text().replace("&&", "&") == (f"Undo: {what}" if what else "Undo")
    assert actions["edit.undo"].isEnabled() == bool(what)


def test_letters_write_in_a_field_and_act_elsewhere(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.room.opened.focus.track.set("t1")
        one.refresh()
        field = one.window.findChild(QLineEdit, "chat field")
        field.setFocus()
        QTest.keyClicks(field, "ms b")
        assert field.text() == "ms b"
        assert not {"mute", "solo"} & set(one.log)
        one.window.setFocus()
        QTest.keyClick(one.window, Qt.Key.Key_M)
        assert "mute" in one.log

    shown(story)


def test_space_plays_after_a_click_and_presses_what_tab_has_reached(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        one.run("file.new")
        one.refresh()
        toggled: list[str] = []
        one.room.opened.playback.toggle = lambda: toggled.append("play")
        pressed: list[str] = []
        button = QPushButton("Send", one.window)
        button.clicked.connect(lambda: pressed.append("send"))
        button.show()
        button.setFocus(Qt.FocusReason.MouseFocusReason)
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert (toggled, pressed) == (["play"], [])
        one.window.findChild(QLineEdit, "chat field").setFocus()
        button.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert (toggled, pressed) == (["play"], ["send"])
        QTest.keyClick(button, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
        assert (toggled, pressed) == (["play", "play"], ["send"])

    shown(story)


def test_keys_with_two_meanings_follow_the_page_and_the_part(shown: Callable[..., None]) -> None:
    async def story(one) -> None:  # type: ignore[no-untyped-def]
        QTest.keyClick(one.window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
        assert "put request 1" in one.log
        one.run("file.new")
        one.refresh()
        QTest.keyClick(one.window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
        assert one.window.focusWidget().objectName() == "plan field"
        one.run("edit.select_all")
        assert one.log[-1] == "approve all"
        one.run("window.timeline")
        one.run("edit.select_all")
        assert one.log[-1] == "select all"

    shown(story)


@pytest.mark.parametrize(
    ("words", "first"),
    [("play", "transport.play"), ("plan discard", "plan.discard"), ("DARK", "view.theme_dark"),
     ("zmin", "view.zoom_in"), ("hp", "plan.hear"), ("no such", None)],
)
def test_commands_are_found_by_their_words(qtbot, words: str, first: str | None) -> None:  # type: ignore[no-untyped-def]
    window = QMainWindow()
    qtbot.addWidget(window)
    entries = found(action_entries(ActionSet(window)), words)
    assert (entries[0].id if entries else None) == first
