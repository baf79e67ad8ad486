"""The first page: its requests work offline, and it leads to files and projects."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from rooms import Room, in_room
from studios import paths_in
from style_parts import plays

from agent.review.review import Review
from agent.song.edits import SetTempo
from app.bootstrap import open_studio
from app.ui.kit.theme import Theme
from app.ui.welcome.offers import EXAMPLES, blocks
from app.ui.welcome.page import WelcomePage

Story = Callable[[Room, WelcomePage], Awaitable[None]]


@pytest.fixture
def welcome(qloop: Any, theme: Theme, tmp_path: Path) -> Callable[..., None]:
    def run(story: Story, before: Callable[[Room], Awaitable[None]] | None = None) -> None:
        async def work(room: Room) -> None:
            if before is not None:
                await before(room)
            page = WelcomePage(room.desktop, room.kit)
            room.views.append(page)
            page.resize(900, 800)
            page.show()
            await room.still()
            await story(room, page)

        qloop.run(in_room(theme, tmp_path, work))

    return run


@pytest.mark.parametrize("example", [one for one in EXAMPLES if not one.opens])
def test_each_request_gives_a_plan_that_leaves_nothing_out(example: Any, tmp_path: Path) -> None:
    async def story() -> None:
        studio = open_studio(paths_in(tmp_path))
        stage = await studio.planning.stage(await studio.projects.draft("One"))
        for seed in range(4):
            judged = await studio.planning.propose(example.request, stage, seed=seed)
            assert isinstance(judged, Review)
            assert (judged.plan.ignored, judged.plan.lint) == ((), ())
            assert judged.preview is not None
            song = judged.preview.song
            promised, names = example.about.split(": ")
            assert promised == f"New song, {len(song.tracks)} tracks"
            for name, track in zip(names.split(", "), song.tracks, strict=True):
                assert plays(track, name), track.name
            if "80 BPM" in example.title:
                assert song.tempos[0].bpm == 80
            else:
                assert str(song.key) == "F minor"
        await studio.close()

    asyncio.run(story())


def test_what_follows_an_opened_file_can_be_planned(tmp_path: Path) -> None:
    async def story() -> None:
        studio = open_studio(paths_in(tmp_path))
        stage = await studio.planning.stage(await studio.projects.draft("One"))
        first = await studio.planning.propose(EXAMPLES[1].request, stage, seed=1)
        assert isinstance(first, Review)
        assert first.preview is not None
        found = await studio.planning.propose(EXAMPLES[2].request, replace(stage, song=first.preview.song), seed=1)
        assert isinstance(found, Review)
        assert found.preview is not None
        assert len(found.preview.song.tracks) == len(first.preview.song.tracks) + 1
        await studio.close()

    asyncio.run(story())


def test_every_door_opens_by_mouse_and_by_key(welcome: Callable[..., None]) -> None:
    async def story(room: Room, page: WelcomePage) -> None:
        said: list[str] = []
        page.request_chosen.connect(said.append)
        page.open_wanted.connect(lambda request: said.append(f"open {request}".strip()))
        page.new_wanted.connect(lambda: said.append("new"))
        page.activateWindow()
        page.setFocus()
        assert QApplication.focusWidget() is page.examples.rows[0]
        for which in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3):
            QTest.keyClick(QApplication.focusWidget(), which, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        QTest.mouseClick(page.examples.rows[2], Qt.MouseButton.LeftButton)
        page.open_button.click()
        page.new_button.click()
        assert said == [
            EXAMPLES[0].request, EXAMPLES[1].request, "open Add strings", EXAMPLES[1].request, "open Add strings",
            "open", "new",
        ]
        assert not page.recent
        for button in page.findChildren(QAbstractButton):
            assert button.accessibleName()

    welcome(story)


def test_recent_projects_are_shown_with_their_songs_and_open(welcome: Callable[..., None]) -> None:
    async def before(room: Room) -> None:
        await room.plan(EXAMPLES[0].request)
        await room.approve()
        await room.desktop.new()

    async def story(room: Room, page: WelcomePage) -> None:
        chosen: list[str] = []
        every: list[bool] = []
        page.project_chosen.connect(chosen.append)
        page.all_wanted.connect(lambda: every.append(True))
        [row] = page.recent
        [project] = await room.desktop.studio.projects.all()
        assert "5 tracks, 80 BPM" in row.accessibleName()
        assert "2 iterations" in row.accessibleName()
        row.click()
        assert chosen == [project.id]
        [button] = [one for one in page.findChildren(QAbstractButton) if one.text() == "Show all"]
        button.click()
        assert every == [True]
        [recent] = await room.desktop.recents()
        drawn = blocks(recent.song)
        assert {lane for _, _, lane, _ in drawn} == {0, 1, 2, 3, 4}
        assert all(0 <= left < right <= 1 for left, right, _, _ in drawn)

    welcome(story, before)


def test_it_looks_right_in_both_themes_and_when_it_is_narrow(welcome: Callable[..., None], theme: Theme) -> None:
    async def story(room: Room, page: WelcomePage) -> None:
        for look in ("light", "dark"):
            theme.choose(look)  # type: ignore[arg-type]
            page.resize(600, 300)
            await room.still()
            assert not page.grab().isNull()
            assert page.horizontalScrollBar().maximum() == 0
            assert page.verticalScrollBar().maximum() > 0

    welcome(story)


def test_a_low_window_shows_requests_and_projects_without_scrolling(welcome: Callable[..., None]) -> None:
    async def story(room: Room, page: WelcomePage) -> None:
        # What is left of 1280 × 720 beside the chat and between the bars.
        page.resize(999, 624)
        await room.still()
        assert all(one.isVisible() for one in page._drawings)
        await room.opened.edit((SetTempo(bpm=90),), "slower")
        page._show_recents(await room.desktop.recents() * 6)
        await room.still()
        assert page.verticalScrollBar().maximum() == 0
        seen = [one for one in page.recent if not one.visibleRegion().isEmpty()]
        assert len(seen) == 4
        assert all(one.visibleRegion().boundingRect() == one.rect() for one in (*seen, *page.examples.rows))
        page.resize(999, 900)
        await room.still()
        assert all(one.isVisible() for one in (*page._drawings, *page.recent))
        assert page.verticalScrollBar().maximum() == 0
        page.resize(999, 624)
        await room.still()
        assert not any(one.isVisible() for one in page._drawings)

    welcome(story)
