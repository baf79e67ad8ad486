"""Services at the real window: a server that others wrote is added, planned with, approved and called; machines,
folders and files of one's own are set up; and what is not well says so in its place."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from collections_of_files import a_collection
from key_rings import Memory
from people import Person, at_window
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from qt_fixtures import Loop, garbage, qloop, theme
from ssh_machines import free_port

from agent.plan.ledger import StepState
from agent.session.run_state import RunState
from app.storage.keyring import Keys
from app.studio.plan_files import read_plan_file
from app.ui.kit.theme import Theme
from app.ui.settings.dialog import SettingsDialog
from app.ui.settings.services.folders_page import FoldersPage
from app.ui.settings.services.library_page import LibraryPage
from app.ui.settings.services.machines_page import MachinesPage
from app.ui.settings.services.servers_page import ServersPage

__all__ = ["garbage", "qloop", "theme"]
P = TypeVar("P")
CLOCK = shlex.join((sys.executable, "-m", "mcp_server_time"))


@pytest.fixture
def at_the_window(theme: Theme, tmp_path: Path, qloop: Loop) -> Callable[..., None]:
    """Runs a story of a person at the real window; the same home when it is run again."""

    def tell(story: Callable[[Person], Awaitable[None]]) -> None:
        qloop.run(at_window(theme, tmp_path / "home", story, Keys(backend=Memory())))

    return tell


async def settings(one: Person, page: str, kind: type[P]) -> tuple[SettingsDialog, P]:
    """The settings at a page, opened from the menu."""
    one.action("file.settings")
    await one.room.still()
    [dialog] = [each for each in QApplication.topLevelWidgets() if isinstance(each, SettingsDialog)]
    dialog.list.setCurrentRow(dialog.names.index(page))
    await one.room.still()
    found = dialog.pages[page]
    assert isinstance(found, kind)
    return dialog, found


def write(field: QLineEdit, words: str) -> None:
    field.setFocus()
    QTest.keyClicks(field, words)


async def press(one: Person, button: QPushButton) -> None:
    await one.room.until(button.isEnabled)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


async def plan_by_file(one: Person, path: Path, *rows: dict[str, Any]) -> None:
    """Put the plan of a file up for review."""
    path.write_text(json.dumps({"request": "hours", "steps": list(rows)}))
    opened, planning = one.room.opened, one.room.desktop.studio.planning
    await opened.workspace.keep("Hours")
    stage = await planning.stage(opened.workspace.record)
    await opened.reviewing.put_up(await planning.judge(planning.adopt(read_plan_file(path), stage), stage.song))
    await one.room.still()


async def run(one: Person, count: int) -> Any:
    await one.click(f"Approve and run {count}")
    opened = one.room.opened
    await one.room.until(lambda: opened.running.live.value and opened.running.live.value.view)
    await one.room.still()
    return opened.running.live.value


def test_a_clock_that_others_wrote_is_added_seen_in_a_plan_approved_and_called(
    at_the_window: Callable[..., None], tmp_path: Path
) -> None:
    row = {"id": "s1", "tool": "clock__get_current_time", "inputs": {"timezone": "Asia/Tokyo"}}
    track = {"id": "s2", "tool": "create_track", "inputs": {"name": "{{s1.timezone}}", "instrument": "pad_warm"}}

    async def story(one: Person) -> None:
        dialog, page = await settings(one, "servers", ServersPage)
        await press(one, page.add)
        write(page.form.name, "clock")
        write(page.form.command, CLOCK)
        await press(one, page.form.look)
        await one.room.until(lambda: not page.working.busy)
        await one.room.still()
        assert "Get current time in a specific timezone" in page.reader.text.toPlainText()
        await press(one, page.approve)
        await one.room.until(lambda: page.table.id == "clock")
        await one.room.still()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        await one.room.still()
        await plan_by_file(one, tmp_path / "hours.json", row, track)
        model = one.plan.view.model()
        shown = [model.row_index("s1", at).data() for at in range(model.columnCount())]
        assert "mcp:clock" in shown
        assert any("Asia/Tokyo" in str(words) for words in shown)
        assert one.room.opened.workspace.song.tracks == (), "nothing runs before an approval"
        live = await run(one, 2)
        assert live.state is RunState.COMPLETED
        assert {row.state for row in live.rows.values()} == {StepState.DONE}
        assert [made.name for made in one.room.opened.workspace.song.tracks] == ["Asia/Tokyo"]

    async def the_next_day(one: Person) -> None:
        _, page = await settings(one, "servers", ServersPage)
        await press(one, page.test)
        await one.room.until(lambda: "as you approved" in page.working.said.text)
        await press(one, page.forget)
        await one.room.until(lambda: not page.table.isVisible())
        assert "clock__get_current_time" not in one.room.desktop.studio.registry.tools

    at_the_window(story)
    at_the_window(the_next_day)


def test_a_machine_whose_host_refuses_is_kept_and_told(at_the_window: Callable[..., None]) -> None:
    async def story(one: Person) -> None:
        _, page = await settings(one, "machines", MachinesPage)
        await press(one, page.add)
        write(page.form.name, "off")
        write(page.form.address, "127.0.0.1")
        page.form.port.setValue(free_port())
        write(page.form.user, "me")
        write(page.form.password, "canary 9c1d7e5b")
        await press(one, page.form.keep)
        await one.room.until(lambda: page.table.id == "off")
        await press(one, page.key)
        await one.room.until(lambda: page.working.said.tone == "bad")
        assert "Machine off cannot be reached." in page.working.said.text
        assert "What to do:" in page.working.said.text
        await press(one, page.forget)
        await one.room.until(lambda: not page.table.isVisible())

    at_the_window(story)


def test_a_folder_and_a_library_are_used_by_the_next_plan(at_the_window: Callable[..., None], tmp_path: Path) -> None:
    a_collection(tmp_path / "Mine")
    out = tmp_path / "Out"
    out.mkdir()
    rows = (
        {"id": "s1", "tool": "query_library", "inputs": {"kind": "midi", "text": "riff"}},
        {"id": "s2", "tool": "import_midi", "inputs": {"path": "{{s1.items[0].path}}", "start_time": 0}},
        {"id": "s3", "tool": "write_text", "inputs": {"path": str(out / "a.txt"), "text": "{{s1.items[0].name}}"}},
    )

    async def story(one: Person) -> None:
        _, library = await settings(one, "library", LibraryPage)
        write(library.path.edit, str(tmp_path / "Mine"))
        await press(one, library.add)
        await one.room.until(lambda: "6 files found" in library.working.said.text)
        dialog, folders = await settings(one, "folders", FoldersPage)
        write(folders.path.edit, str(out))
        folders.choice.setCurrentIndex(1)
        await press(one, folders.allow)
        await one.room.until(lambda: "may read and write" in folders.working.said.text)
        dialog.close()
        await plan_by_file(one, tmp_path / "plan.json", *rows)
        live = await run(one, 3)
        assert live.state is RunState.COMPLETED
        assert (out / "a.txt").read_text() == "Night riff.mid"
        assert one.room.opened.workspace.song.note_count == 12

    at_the_window(story)
