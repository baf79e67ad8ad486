"""The folders of the open project in the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from settings_rooms import Settings, cells

from app.ui.settings.services.folders_page import FoldersPage


async def in_project(one: Settings) -> FoldersPage:
    project = await one.studio.projects.create("Night ferry")
    await one.room.desktop.open(project.id)
    return await one.page("folders", FoldersPage)


def test_the_export_folder_is_always_there(in_the_settings: Any) -> None:
    async def story(one: Settings) -> None:
        page = await in_project(one)
        exports = str(one.studio.paths.exports / "Night ferry")
        assert cells(page.table) == [exports, "Read and write", "Exports, always allowed"]
        assert (page.forget.isEnabled(), page.access.isEnabled()) == (False, False)
        assert page.project.text() == "Project: Night ferry"

    in_the_settings(story)


def test_a_folder_is_allowed_changed_and_taken_back(in_the_settings: Any, tmp_path: Path) -> None:
    mine = tmp_path / "<b>Mine"
    mine.mkdir()

    async def story(one: Settings) -> None:
        page = await in_project(one)
        assert not page.allow.isEnabled()
        page.path.edit.setText(f" {mine} ")
        QTest.keyClick(page.path.edit, Qt.Key.Key_Return)
        await one.room.still()
        assert page.working.said.text == f"Steps of this project may read in {mine}."
        assert cells(page.table)[3:] == [str(mine), "Read", "Allowed by you"]
        page.access.click()
        await one.room.still()
        assert cells(page.table)[4] == "Read and write"
        assert page.access.text() == "Let steps only read"
        page.forget.click()
        await one.room.still()
        assert len(cells(page.table)) == 3
        assert (await one.studio.folders.of(one.room.opened.workspace.record)).allowed == ()

    in_the_settings(story)


def test_what_may_not_be_shared_is_refused_in_place(in_the_settings: Any, tmp_path: Path) -> None:
    async def story(one: Settings) -> None:
        page = await in_project(one)
        for path, why in (("/", "the whole disk"), (str(tmp_path / "none"), "no such folder"),
                          (str(one.studio.paths.data), "program's own data")):
            page.path.edit.setText(path)
            page.allow.click()
            await one.room.still()
            assert why in page.working.said.text
            assert "What to do:" in page.working.said.text
            assert page.path.path == path

    in_the_settings(story)


def test_a_folder_is_chosen_from_a_dialog_that_holds_nothing_up(in_the_settings: Any, tmp_path: Path) -> None:
    async def story(one: Settings) -> None:
        page = await in_project(one)
        page.path.edit.setText("/proc")
        page.path.choose.click()
        await one.room.still()
        [dialog] = page.findChildren(QFileDialog)
        assert dialog.isVisible()
        assert not dialog.directory().path().startswith("/proc")
        dialog.fileSelected.emit(str(tmp_path))
        dialog.reject()
        await one.room.still()
        assert page.path.path == str(tmp_path)

    in_the_settings(story)


def test_an_unstored_song_becomes_a_project_and_another_project_has_others(
    in_the_settings: Any, tmp_path: Path
) -> None:
    async def story(one: Settings) -> None:
        page = await one.page("folders", FoldersPage)
        assert "Allowing a folder keeps it as a project" in page.project.text()
        (tmp_path / "Mine").mkdir()
        page.path.edit.setText(str(tmp_path / "Mine"))
        page.allow.click()
        await one.room.still()
        assert not one.room.opened.workspace.draft
        assert len(cells(page.table)) == 6
        other = await one.studio.projects.create("Other")
        await one.room.desktop.open(other.id)
        await one.room.still()
        assert page.project.text() == "Project: Other"
        assert len(cells(page.table)) == 3

    in_the_settings(story)
