"""Groups of changes by hand in the history: folded, opened, chosen, compared, restored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from qt_fixtures import Loop
from rooms import Room, in_room

from agent.song.edits import SetTempo
from app.ui.history.panel import HistoryPanel
from app.ui.kit.theme import Theme

Story = Callable[[Room, HistoryPanel], Awaitable[None]]


@pytest.fixture
def history(qloop: Loop, theme: Theme, tmp_path: Path) -> Callable[[Story], None]:
    """Runs a story over five tempos set by hand, of which two were undone and one redone."""

    def run(story: Story) -> None:
        async def work(room: Room) -> None:
            panel = HistoryPanel(room.opened, room.kit)
            room.views.append(panel)
            panel.resize(292, 500)
            panel.show()
            panel.activateWindow()
            for bpm in (80, 81, 82, 83, 84):
                await room.opened.edit((SetTempo(bpm=bpm),), f"Tempo {bpm} BPM")
            for way in (room.opened.versions.undo, room.opened.versions.undo, room.opened.versions.redo):
                await way()
            await listed(room)
            tried(panel)
            await story(room, panel)
            tried(panel)

        qloop.run(in_room(theme, tmp_path, work))

    return run


async def listed(room: Room) -> None:
    await room.opened.versions.refresh()
    await room.still()


def tried(panel: HistoryPanel) -> None:
    """Qt's own test of the model as it is now; it fetches on its own, which it cannot bear within a change."""
    shiboken6.delete(QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal))


def shape(panel: HistoryPanel) -> list[str]:
    """One word for each row: the number of an iteration, or of a group the number that it stands for, and a sign."""
    return [
        str(row.iteration.number) + ("+" if row.group else "") if row.iteration else "-" if row.open else row.kind
        for row in panel.model.rows
    ]


MEMBERS = ["9", "8", "7", "6", "5", "4", "3", "2"]


def test_a_flood_of_changes_is_one_row_that_opens_and_folds_by_key(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        assert shape(panel) == ["9+", "1"]
        group = panel.model.rows[0]
        assert group.title == "5 changes by hand, 2 undone, 1 redone"
        assert group.about == "2–9  You  Redo: Tempo 83 BPM"
        assert group.current
        assert group.place.below
        assert group.accessible_text.startswith("Group 5 changes by hand")
        assert ", folded" in group.accessible_text
        panel.list.setFocus()
        panel.list.go_to(panel.model.index(0))
        QTest.keyClick(panel.list, Qt.Key.Key_Right)
        assert shape(panel) == ["-", *MEMBERS, "1"]
        assert panel.list.currentIndex().row() == 0
        assert ", open" in panel.model.rows[0].accessible_text
        for _ in range(3):
            QTest.keyClick(panel.list, Qt.Key.Key_Down)
        QTest.keyClick(panel.list, Qt.Key.Key_Left)
        assert shape(panel) == ["9+", "1"]
        assert panel.list.currentIndex().row() == 0
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
        assert shape(panel) == ["-", *MEMBERS, "1"]

    history(story)


def test_a_click_on_the_caret_opens_and_one_beside_it_chooses(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        place = panel.list.visualRect(panel.model.index(0))
        caret = panel.list.delegate.caret(place, panel.model.rows[0])
        assert min(caret.width(), caret.height()) >= 20
        view = panel.list.viewport()
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(caret.right() + 60, caret.center().y()))
        assert ([one.number for one in panel.selection], len(panel.model.rows)) == ([9], 2)
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=caret.center())
        assert len(panel.model.rows) == 10
        assert [one.number for one in panel.selection] == [9]
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=caret.center())
        assert len(panel.model.rows) == 2

    history(story)


def test_members_are_compared_and_restored_and_a_new_change_comes_into_its_group(
    history: Callable[[Story], None]
) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        wanted = next(one for one in room.opened.versions.iterations.value if one.number == 3)
        panel.select(wanted.id)
        await room.still()
        assert ([one.number for one in panel.selection], len(panel.model.rows)) == ([3], 10)
        flag = QItemSelectionModel.SelectionFlag.Select
        other = next(row for row in panel.model.rows if row.iteration is not None and row.iteration.number == 6)
        panel.list.selectionModel().select(panel.model.index_of(other.id), flag)
        panel.compare_selected()
        assert panel.page is not None
        page = panel.page
        await room.until(lambda: page.versions)
        assert page.versions is not None
        assert [one.number for one in page.versions] == [3, 6]
        panel.turn_group(panel.model.rows[0])
        assert set(panel.list.delegate.letters.values()) == {"A", "B"}
        panel.close_comparison()
        panel.select(wanted.id)
        await room.still()
        panel.restore_selected()
        await room.until(lambda: panel.model.rows[0].iteration and panel.model.rows[0].iteration.number == 10)
        assert room.opened.workspace.song.tempos[0].bpm == 81
        assert shape(panel)[:2] == ["10", "-"]
        for bpm in (90, 91, 92):
            await room.opened.edit((SetTempo(bpm=bpm),), f"Tempo {bpm} BPM")
        await listed(room)
        assert shape(panel)[:3] == ["13+", "10", "-"]
        panel.list.go_to(panel.model.index(0))
        await room.opened.edit((SetTempo(bpm=93),), "Tempo 93 BPM")
        await listed(room)
        assert shape(panel)[:3] == ["14+", "10", "-"]
        assert panel.list.selectionModel().isSelected(panel.model.index(0))

    history(story)


def test_naming_and_searching_show_single_changes(history: Callable[[Story], None]) -> None:
    async def story(room: Room, panel: HistoryPanel) -> None:
        panel.list.go_to(panel.model.index(0))
        actions = {action.text(): action for action in panel.menu_for(panel.model.rows[0]).actions()}
        assert next(iter(actions)) == "Show these changes"
        assert "Name…" not in actions
        QTest.keyClick(panel.list, Qt.Key.Key_F2)
        assert len(panel.model.rows) == 10
        assert panel.list.state() is not panel.list.State.EditingState
        panel.turn_group(panel.model.rows[0])
        await room.opened.versions.name(room.opened.versions.iterations.value[4].id, "Keep")
        await room.still()
        assert shape(panel) == ["9+", "5", "4+", "1"]
        panel.filter.field.setText("Tempo 82")
        await room.until(lambda: panel.filter.wanted.words)
        assert "+" not in "".join(shape(panel))
        assert "4" in shape(panel)
        panel.filter.clear()
        panel.filter.no_hand.trigger()
        assert shape(panel) == ["9", "5"]

    history(story)
