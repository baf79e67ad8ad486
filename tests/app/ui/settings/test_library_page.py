"""The user's library in the settings: added, looked through, searched, tagged."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from collections_of_files import a_collection, midi_file
from settings_rooms import Settings, cells

from app.services.library import scanning
from app.ui.settings.services.library_page import LibraryPage


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    a_collection(tmp_path / "Mine")
    return tmp_path / "Mine"


async def added(one: Settings, folder: Path) -> LibraryPage:
    page = await one.page("library", LibraryPage)
    page.path.edit.setText(str(folder))
    page.add.click()
    await one.room.until(lambda: "read" in page.working.said.text)
    await one.room.still()
    return page


async def found(one: Settings, page: LibraryPage, words: str = "", kind: str = "", key: str = "") -> list[str]:
    finder = page.finder
    finder.words.setText(words)
    finder.key.setText(key)
    finder.kind.setCurrentIndex(finder.kind.findData(kind))
    finder.search()
    await one.room.still()
    return cells(finder.table)


def test_a_folder_is_added_counted_and_its_broken_files_told(in_the_settings: Any, mine: Path) -> None:
    async def story(one: Settings) -> None:
        page = await added(one, mine)
        assert page.working.said.text == "6 files found, 6 read anew.\n1 file cannot be read."
        assert cells(page.table)[:4] == [str(mine), "3", "2", "1"]
        assert page.broken.text() == "Show 1 broken file"
        page.broken.click()
        await one.room.still()
        name, why = cells(page.finder.faults)
        assert (name, page.finder.table.isVisible()) == ("broken.mid", False)
        assert "MIDI header" in why
        assert str(mine) not in why
        page.forget.click()
        await one.room.still()
        assert cells(page.table) == []
        assert (mine / "Bass" / "Night riff.mid").exists()

    in_the_settings(story)


def test_what_fits_is_found_by_words_kind_key_and_tempo(in_the_settings: Any, mine: Path) -> None:
    async def story(one: Settings) -> None:
        page = await added(one, mine)
        assert (await found(one, page, "riff"))[:4] == ["midi", "Night riff", "A minor", "96"]
        assert "Kick_loop_120bpm_F#min" in await found(one, page, kind="sample")
        assert (await found(one, page, key="D major"))[1] == "Bright lead"
        page.finder.slowest.setValue(90)
        page.finder.fastest.setValue(100)
        assert (await found(one, page, kind="midi"))[1::5] == ["Night riff"]
        assert await found(one, page, "nothing like it") == []
        assert page.finder.count.text() == "Nothing fits"
        await found(one, page, key="loud")
        assert "is no key" in page.finder.said.text
        assert "What to do: Write it as" in page.finder.said.text

    in_the_settings(story)


def test_tags_are_given_and_taken_back(in_the_settings: Any, mine: Path) -> None:
    async def story(one: Settings) -> None:
        page = await added(one, mine)
        await found(one, page, "rain", kind="sample")
        page.finder.tags.setText("Intro, soft rain")
        page.finder.tag.click()
        await one.room.still()
        assert page.finder.said.text == "Your tags: intro, soft rain."
        assert "soft rain" in cells(page.finder.table)[4]
        page.finder.tags.setText("intro")
        page.finder.untag.click()
        await one.room.still()
        assert page.finder.said.text == "Your tags: soft rain."
        await found(one, page, "warm", kind="instrument")
        page.finder.tags.setText("mine")
        assert not page.finder.tag.isEnabled()

    in_the_settings(story)


def test_a_scan_is_stopped_and_keeps_what_was_read(
    in_the_settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(8):
        midi_file(tmp_path / "Many" / f"{number}.mid")
    go, reading, measured = threading.Event(), threading.Event(), scanning.measured

    def slow(*given: Any, **more: Any) -> Any:
        reading.set()
        go.wait(30)
        return measured(*given, **more)

    monkeypatch.setattr(scanning, "measured", slow)

    async def story(one: Settings) -> None:
        page = await one.page("library", LibraryPage)
        page.path.edit.setText(str(tmp_path / "Many"))
        page.add.click()
        await one.room.until(reading.is_set)
        page.working.cancel.click()
        go.set()
        await one.room.until(lambda: not page.working.busy)
        assert page.working.said.text.startswith("Stopped: ")
        page.scan.click()
        await one.room.until(lambda: "8 files found" in page.working.said.text)
        assert cells(page.table)[1] == "8"

    in_the_settings(story)


def test_a_folder_that_cannot_be_added_says_why(in_the_settings: Any, mine: Path) -> None:
    async def story(one: Settings) -> None:
        page = await added(one, mine)
        for path, why in ((str(mine / "Bass"), "is in the library, and holds it"), ("/", "whole disk")):
            page.path.edit.setText(path)
            page.add.click()
            await one.room.still()
            assert why in page.working.said.text

    in_the_settings(story)


def test_many_files_make_no_more_widgets(in_the_settings: Any, tmp_path: Path) -> None:
    for number in range(430):
        midi_file(tmp_path / "Many" / f"take {number}.mid", pitches=(60,))

    async def story(one: Settings) -> None:
        page = await added(one, tmp_path / "Many")
        shown = await found(one, page, kind="midi")
        assert len(shown) == 400 * 5
        assert page.finder.count.text().startswith("400 found, 30 more")
        assert page.finder.table.viewport().findChildren(object) == []

    in_the_settings(story)
