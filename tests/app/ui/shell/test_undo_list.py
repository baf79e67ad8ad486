"""The list of undo steps: what it says, and that choosing a step goes as far as that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agent.song.edits import SetTempo
from app.ui.shell.undo_list import UndoList

Show = Callable[[Callable[[Any], Awaitable[None]]], None]
HOSTILE = "<img src=file:///etc/passwd> & \u202eright to left " + "x" * 300


async def _three_tempos(one: Any) -> None:
    for bpm in (90, 100, 110):
        await one.room.opened.edit((SetTempo(bpm=bpm),), f"Tempo {bpm} BPM")
    await one.room.still()


def _listed(one: Any) -> UndoList:
    one.run("edit.undo_list")
    found = one.window.findChild(UndoList)
    assert isinstance(found, UndoList)
    return found


def _rows(shown: UndoList) -> list[str]:
    return [shown.list.item(row).text() for row in range(shown.list.count())]


def test_a_step_far_back_is_reached_in_one_go_and_the_way_forward_too(shown: Show) -> None:
    async def story(one: Any) -> None:
        await _three_tempos(one)
        opened = one.room.opened
        now = _listed(one)
        assert _rows(now)[:3] == ["Now: Tempo 110 BPM", "Tempo 100 BPM", "Tempo 90 BPM"]
        QTest.keyClick(now.list, Qt.Key.Key_Down)
        assert now.said.text() == "Takes 2 changes back"
        QTest.keyClick(now.list, Qt.Key.Key_Return)
        await one.room.until(lambda: opened.workspace.song.tempo_map.bpm(0) == 90)
        await one.room.still()
        again = _listed(one)
        assert _rows(again)[:3] == ["Tempo 110 BPM", "Tempo 100 BPM", "Now: Tempo 90 BPM"]
        again.list.setCurrentRow(0)
        assert again.said.text() == "Brings 2 changes back"
        QTest.mouseClick(again.go, Qt.MouseButton.LeftButton)
        await one.room.until(lambda: opened.workspace.song.tempo_map.bpm(0) == 110)
        await one.room.still()

    shown(story)


def test_the_step_that_the_song_is_at_leads_nowhere_and_esc_changes_nothing(shown: Show) -> None:
    async def story(one: Any) -> None:
        await _three_tempos(one)
        now = _listed(one)
        now.list.setCurrentRow(0)
        assert not now.go.isEnabled()
        QTest.keyClick(now, Qt.Key.Key_Escape)
        await one.room.still()
        assert one.room.opened.workspace.song.tempo_map.bpm(0) == 110

    shown(story)


def test_names_of_steps_are_shown_as_they_are(shown: Show) -> None:
    async def story(one: Any) -> None:
        await one.room.opened.edit((SetTempo(bpm=90),), HOSTILE[:110])
        await one.room.still()
        now = _listed(one)
        tip = now.list.item(0).toolTip()
        assert "&lt;img" in tip
        assert "<img" not in tip
        assert "<img src=file:///etc/passwd> &" in _rows(now)[0]
        now.close()

    shown(story)
