"""A window that is closed to be opened again comes back with its project and what was written."""

from __future__ import annotations

import asyncio
from pathlib import Path

from studios import paths_in

from agent.song.edits import SetTempo
from app.bootstrap import open_desktop
from app.viewmodels.desktop import Desktop
from app.viewmodels.texts.troubles import ErrorReporter


def _desktop(home: Path) -> Desktop:
    paths = paths_in(home)
    return open_desktop(paths, ErrorReporter(paths))


def test_the_next_start_opens_the_project_once_with_what_was_written(tmp_path: Path) -> None:
    async def story() -> None:
        first = _desktop(tmp_path)
        opened = await first.begin()
        await opened.edit((SetTempo(bpm=90),), "Tempo 90 BPM")
        project = opened.workspace.project
        await first.keep_for_restart("darker \U0001f319 & <b>")
        await first.close()
        second = _desktop(tmp_path)
        again = await second.begin()
        assert (again.workspace.project, second.unsent) == (project, "darker \U0001f319 & <b>")
        await second.close()
        third = _desktop(tmp_path)
        assert (await third.begin()).workspace.draft
        assert third.unsent == ""
        await third.close()

    asyncio.run(story())


def test_an_untouched_draft_keeps_only_what_was_written(tmp_path: Path) -> None:
    async def story() -> None:
        first = _desktop(tmp_path)
        await first.begin()
        await first.keep_for_restart("a calm song")
        await first.close()
        second = _desktop(tmp_path)
        assert (await second.begin()).workspace.draft
        assert second.unsent == "a calm song"
        await second.close()

    asyncio.run(story())


def test_what_is_kept_and_damaged_is_as_good_as_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        first = _desktop(tmp_path)
        await first.begin()
        await first.set("again", '["gone", 5')
        await first.close()
        second = _desktop(tmp_path)
        assert (await second.begin()).workspace.draft
        await second.close()

    asyncio.run(story())
