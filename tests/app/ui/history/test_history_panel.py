"""The history as a person uses it, over a real studio."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from rooms import Room, in_room

from agent.song.edits import SetTempo
from app.ui.history.panel import HistoryPanel
from app.ui.kit.theme import Theme
from app.ui.kit.widgets.notice import NoticeStrip
from app.viewmodels.texts.troubles import Trouble

AMBIENT = "Write a slow, warm ambient song at 80 BPM"
Story = Callable[[Room, HistoryPanel], Awaitable[None]]


@pytest.fixture
def history(qloop: Any, theme: Theme, tmp_path: Path) -> Callable[[Story], None]:
    def run(story: Story) -> None:
        async def work(room: Room) -> None:
            panel = HistoryPanel(room.opened, room.kit)
            tester = QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
            room.views.append(panel)
            panel.resize(292, 420)
            panel.show()
            await room.still()
            await story(room, panel)
            tester.deleteLater()

        qloop.run(in_room(theme, tmp_path, work))

    return run


async def tempo(room: Room, bpm: float) -> None:
    await room.opened.edit((SetTempo(bpm=bpm),), f"Tempo to {bpm:g} BPM")
    await listed(room)


async def listed(room: Room) -> None:
    """Wait until the newest version is listed."""
    await room.still()
    listed = room.opened.versions.iterations
    await room.until(lambda: [one.id for one in listed.value[:1]] == [room.opened.workspace.head])


def titles(panel: HistoryPanel) -> list[str]:
    return [row.title for row in panel.model.rows]


def both(panel: HistoryPanel, *numbers: int) -> None:
    model = panel.list.selectionModel()
    model.clear()
    for row in panel.model.rows:
        if row.iteration is not None and row.iteration.number in numbers:
            model.select(panel.model.index_of(row.id), QItemSelectionModel.SelectionFlag.Select)


def test_empty_then_a_plan_a_run_and_its_iteration(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        assert panel._stack.currentIndex() == 0
        seen: set[str] = set()
        panel.model.dataChanged.connect(lambda *_: seen.add(panel.model.rows[0].kind))
        panel.model.modelReset.connect(lambda: seen.add(panel.model.rows[0].kind))
        panel.model.rowsInserted.connect(lambda *_: seen.add(panel.model.rows[0].kind))
        await room.plan(AMBIENT)
        await room.still()
        assert panel._stack.currentIndex() == 1
        assert (panel.model.rows[0].kind, panel.model.rows[0].title) == ("plan", AMBIENT)
        assert "not run" in panel.model.rows[0].about
        await room.approve()
        await listed(room)
        assert seen >= {"plan", "run", "iteration"}
        top = panel.model.rows[0]
        assert (top.kind, top.title, top.author, top.current) == ("iteration", AMBIENT, "agent", True)
        assert re.match(r"2  Bandleader  \d+ steps", top.about)
        assert not panel.list._ring.isActive()

    history(story)


def test_restore_makes_a_new_iteration_and_keeps_the_others(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        await tempo(room, 90)
        await tempo(room, 100)
        assert not panel.restore.isEnabled()
        panel.select(panel.model.rows[0].id or "")
        assert "current" in panel.restore.toolTip()
        panel.select(panel.model.rows[1].id or "")
        panel.restore.click()
        await room.until(lambda: len(panel.model.rows) == 4)
        await listed(room)
        assert room.opened.workspace.song.tempos[0].bpm == 90
        assert titles(panel) == [
            "Restored #2: Tempo to 90 BPM", "Tempo to 100 BPM", "Tempo to 90 BPM", "New project"
        ]
        assert [one.number for one in panel.selection] == [4]
        await room.opened.versions.undo()
        await listed(room)
        assert room.opened.workspace.song.tempos[0].bpm == 100
        assert panel.model.rows[0].dim
        assert not panel.model.rows[1].dim

    history(story)


def test_two_iterations_are_compared_older_first(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        await tempo(room, 90)
        await tempo(room, 100)
        assert not panel.compare.isEnabled()
        both(panel, 3, 1)
        assert [panel.list.delegate.letters[one.id] for one in panel.selection] == ["A", "B"]
        pages: list[object] = []
        panel.page_wanted.connect(pages.append)
        panel.compare.click()
        page = panel.page
        assert pages == [page]
        assert page is not None
        await room.until(lambda: page.versions)
        page.copy()
        text = QGuiApplication.clipboard().text()
        assert text.startswith("A: 1  New project\nB: 3  Tempo to 100 BPM")
        assert "Tempo: 120 BPM → 100 BPM" in text
        assert room.opened.workspace.song.tempos[0].bpm == 100
        page.head.close_button.click()
        await room.still()
        assert panel.page is None
        assert pages[-1] is None

    history(story)


def test_one_iteration_is_compared_with_the_current_one(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        await tempo(room, 90)
        await tempo(room, 100)
        both(panel, 2)
        assert panel.compare.isEnabled()
        panel.compare_selected()
        assert panel.page is not None
        page = panel.page
        await room.until(lambda: page.versions)
        assert page.versions is not None
        assert [one.number for one in page.versions] == [2, 3]
        assert sorted(panel.list.delegate.letters.values()) == ["A", "B"]
        await room.still()
        QTest.keyClick(panel.list, Qt.Key.Key_Escape)
        assert panel.page is None

    history(story)


def test_a_branch_is_begun_switched_and_left_again(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        await tempo(room, 90)
        await tempo(room, 100)
        panel.select(panel.model.rows[1].id or "")
        assert panel.branch.text() == "Branch"
        panel.list.setFocus()
        QTest.keyClick(panel.list, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
        await room.until(lambda: len(panel.model.rows) == 4)
        await listed(room)
        assert [row.place.lane for row in panel.model.rows] == [0, 1, 0, 0]
        assert (panel.about, room.opened.workspace.song.tempos[0].bpm) == ("2 branches", 90)
        assert panel.model.rows[0].current
        assert not panel.branch.isEnabled()
        panel.select(panel.model.rows[1].id or "")
        assert panel.branch.text() == "Switch"
        panel.branch.click()
        await room.until(lambda: panel.model.rows[1].current)
        assert room.opened.workspace.song.tempos[0].bpm == 100
        assert len(panel.model.rows) == 4
        assert panel.model.rows[1].place.lane == 0

    history(story)


def test_an_iteration_is_named_in_its_place(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        await tempo(room, 90)
        panel.select(panel.model.rows[0].id or "")
        panel.list.setFocus()
        QTest.keyClick(panel.list, Qt.Key.Key_F2)
        editor = panel.list.findChild(QLineEdit)
        assert editor is not None
        assert editor.text() == "Tempo to 90 BPM"
        editor.selectAll()
        QTest.keyClicks(editor, "<b>Slow one</b>")
        QTest.keyClick(editor, Qt.Key.Key_Return)
        await room.until(lambda: panel.model.rows[0].named)
        assert panel.model.rows[0].title == "<b>Slow one</b>"
        assert "&lt;b&gt;" in panel.model.data(panel.model.index(0), Qt.ItemDataRole.ToolTipRole)
        QTest.keyClick(panel.list, Qt.Key.Key_F2)
        editor = panel.list.findChild(QLineEdit)
        assert editor is not None
        QTest.keyClicks(editor, "not this")
        QTest.keyClick(editor, Qt.Key.Key_Escape)
        await room.still()
        assert panel.model.rows[0].title == "<b>Slow one</b>"

    history(story)


def test_the_filter_hides_what_is_not_wanted_and_joins_what_is_left(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        await room.plan(AMBIENT)
        await room.approve()
        await listed(room)
        await tempo(room, 90)
        await tempo(room, 100)
        panel.filter.no_hand.trigger()
        assert [row.iteration.number for row in panel.model.rows if row.iteration] == [4, 2]
        assert panel.model.rows[0].current
        assert panel.model.rows[0].place.below
        panel.filter.clear()
        assert len(panel.model.rows) == 4
        panel.filter.field.setText("ambient warm")
        await room.until(lambda: len(panel.model.rows) == 1)
        assert panel.model.rows[0].title == AMBIENT
        panel.filter.field.setText("nothing like it")
        await room.until(lambda: not panel.model.rows)
        assert panel._stack.currentIndex() == 2
        panel.filter.clear()
        await room.opened.versions.name(room.opened.versions.iterations.value[1].id, "Keep")
        panel.filter.named.trigger()
        await room.until(lambda: len(panel.model.rows) == 2)
        assert [row.title for row in panel.model.rows] == ["Tempo to 100 BPM", "Keep"]
        panel.filter.clear()
        panel.filter.authors["agent"].trigger()
        assert [row.author for row in panel.model.rows] == ["you", "agent"]

    history(story)


def test_a_selection_outlives_a_new_iteration(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        await tempo(room, 90)
        both(panel, 1, 2)
        await tempo(room, 100)
        assert [one.number for one in panel.selection] == [1, 2]
        panel.select("unknown")
        assert not panel.selection

    history(story)


def test_damaged_iterations_and_troubles_are_named_here(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        room.opened.versions.damaged.set(("version 3 (ite1) is damaged",))
        room.kit.troubles.told.emit(Trouble("history", "there is nothing to undo"))
        room.kit.troubles.told.emit(Trouble("history", "there is nothing to redo"))
        room.kit.troubles.told.emit(Trouble("plan", "elsewhere"))
        await room.still()
        told = [strip.trouble for strip in panel.findChildren(NoticeStrip)]
        assert [one.what for one in told] == ["some iterations are damaged", "there is nothing to redo"]
        assert "version 3" in told[0].why

    history(story)


def test_keys_and_words_for_whoever_does_not_see(history: Callable[[Story], None], theme: Theme) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        wanted: list[object] = []
        panel.plan_wanted.connect(wanted.append)
        await room.plan(AMBIENT)
        await room.approve()
        await listed(room)
        await room.plan("make it faster, 120 BPM")
        await room.still()
        accessible = panel.model.data(panel.model.index(1), Qt.ItemDataRole.AccessibleTextRole)
        assert accessible.startswith(f"Iteration {AMBIENT}, 2  Bandleader")
        assert ", current" in accessible
        for button in panel.findChildren(QAbstractButton):
            assert button.accessibleName()
            assert button.toolTip()
        panel.activateWindow()
        first = panel.model.index(0)
        panel.list.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
        QTest.keyClick(panel.list, Qt.Key.Key_Down)
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
        live = room.opened.running.live.value
        run = panel.model.rows[1].run
        assert wanted == [None, run]
        assert live is None or run is not None
        letter = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_H, Qt.KeyboardModifier.NoModifier, "h")
        panel.list.keyPressEvent(letter)
        assert not letter.isAccepted()
        for look in ("light", "dark"):
            theme.choose(look)  # type: ignore[arg-type]
            assert not panel.grab().isNull()
        actions = {action.text(): action for action in panel.menu_for(panel.model.rows[1]).actions()}
        assert list(actions) == [
            "Show plan", "Name…", "Compare with current", "Restore", "New branch here", "Copy words"
        ]
        actions["Copy words"].trigger()
        assert QGuiApplication.clipboard().text() == AMBIENT

    history(story)


def test_what_is_asked_for_is_shown_though_the_filter_hides_it(
    history: Callable[[Story], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        await tempo(room, 90)
        await tempo(room, 100)
        hidden = room.opened.versions.iterations.value[1].id
        panel.filter.named.trigger()
        assert panel.model.rowCount() == 1
        panel.select(hidden)
        await room.until(lambda: [one.id for one in panel.selection] == [hidden])
        assert not panel.filter.wanted.active
        # Rows of a long history are made in a thread; what was made is selected when they are there.
        monkeypatch.setattr("app.ui.history.panel._AT_ONCE", 1)
        panel.restore.click()
        await room.until(lambda: [one.number for one in panel.selection] == [4])

    history(story)
