"""The history in the real window: a page in the middle, docks that make room, and actions of the menu."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from rooms import Room, in_room

from agent.song.edits import SetTempo
from app.ui.history.panel import HistoryPanel
from app.ui.kit.theme import Theme
from app.ui.shell.looks import Looks
from app.ui.shell.main_window import MainWindow
from app.window.views import view_factories


async def windowed(room: Room, theme: Theme) -> tuple[MainWindow, HistoryPanel]:
    window = MainWindow(theme, Looks())
    window.resize(1600, 1000)
    window.show()
    window.attach(room.desktop, room.kit, view_factories())
    for bpm in (90, 100):
        await room.opened.edit((SetTempo(bpm=bpm),), f"Tempo to {bpm} BPM")
    await room.still()
    panel = window.findChild(HistoryPanel)
    assert isinstance(panel, HistoryPanel)
    await room.until(lambda: len(panel.model.rows) == 3)
    return window, panel


def test_the_comparison_takes_the_middle_and_gives_it_back(qloop: Any, theme: Theme, tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        window, panel = await windowed(room, theme)
        layout = window.docks.layout_now()
        shown = window.docks.shown()
        assert shown == {"chat", "history", "plan"}
        timeline = window.pages.currentWidget()
        panel.select(panel.model.rows[1].id or "")
        window.actions_["history.compare"].trigger()
        page = panel.page
        assert page is not None
        await room.until(lambda: page.versions)
        await room.still()
        assert window.pages.currentWidget() is page
        assert window.docks.shown() == {"history"}
        window.activateWindow()
        await room.until(window.isActiveWindow)
        page.setFocus()
        for within in (panel, page):
            window.actions_["window.next"].trigger()
            held = window.focusWidget()
            assert held is not None
            assert within.isAncestorOf(held)
        # What is kept for next time is the window without the page.
        assert window.docks.layout_now() == layout
        QTest.keyClick(page.side.list, Qt.Key.Key_Escape)
        await room.still()
        assert panel.page is None
        assert (window.pages.currentWidget(), window.docks.shown()) == (timeline, shown)
        window.detach()
        window.close()
        window.deleteLater()

    qloop.run(in_room(theme, tmp_path, story))


def test_a_project_is_left_while_two_of_its_iterations_are_compared(
    qloop: Any, theme: Theme, tmp_path: Path
) -> None:
    async def story(room: Room) -> None:
        window, panel = await windowed(room, theme)
        panel.select(panel.model.rows[1].id or "")
        panel.compare_selected()
        await room.desktop.new()
        await room.still()
        assert window.pages.currentWidget().objectName() != "comparison"  # type: ignore[union-attr]
        assert "chat" in window.docks.shown()
        assert room.opened.listening.other.value is None
        assert room.told == []
        window.detach()
        window.close()
        window.deleteLater()

    qloop.run(in_room(theme, tmp_path, story))


def test_ctrl_b_asks_for_an_iteration_first(qloop: Any, theme: Theme, tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        window, panel = await windowed(room, theme)
        panel.list.selectionModel().clear()
        window.actions_["history.branch"].trigger()
        assert [one.number for one in panel.selection] == [3]
        panel.select(panel.model.rows[1].id or "")
        window.actions_["history.branch"].trigger()
        await room.until(lambda: room.opened.workspace.song.tempos[0].bpm == 90)
        await room.still()
        window.detach()
        window.close()
        window.deleteLater()

    qloop.run(in_room(theme, tmp_path, story))
