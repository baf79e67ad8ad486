"""A timeline over a real studio, on a qasync loop that lasts as long as the story."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from opened_projects import opened_in
from PySide6.QtWidgets import QApplication
from qt_fixtures import Loop

from agent.review.review import Review
from agent.song.edits import Edit
from agent.song.song import Song
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.ui.timeline.view import TimelineView
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import Trouble

SIZE = (1100, 420)


class Told:
    """One open project with its timeline, and what a person was told."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        self.opened = opened
        self.kit = kit
        self.troubles: list[Trouble] = []
        opened.troubles.told.listen(self.troubles.append)
        self.view = TimelineView(opened, kit)
        # With its sliders, however small the window.
        self.view.stage.lane_choice.size.set("normal")
        self.view.resize(*SIZE)
        self.view.show()

    @property
    def song(self) -> Song:
        """The working song."""
        return self.opened.workspace.song

    async def settle(self, until: Callable[[], bool] = lambda: False, seconds: float = 8.0) -> None:
        """Let everything that was begun come to its end, or wait for something."""
        for turn in range(int(seconds / 0.01)):
            await asyncio.sleep(0.01)
            if until() or (turn > 4 and not self.kit.tasks._tasks and not self.headers_wait):
                return

    @property
    def headers_wait(self) -> bool:
        """Whether keys on a fader are still waited for."""
        return self.view.headers.state.keyed.rest.isActive()

    async def plan(self, request: str, seed: int = 3) -> Review:
        """Propose a plan and put it up for review."""
        stage = await self.opened.studio.planning.stage(self.opened.workspace.record)
        review = await self.opened.studio.planning.propose(request, stage, seed=seed)
        assert isinstance(review, Review)
        await self.opened.reviewing.put_up(review)
        await asyncio.sleep(0.02)
        return review


Story = Callable[[Told], Awaitable[None]]


@pytest.fixture
def told(tmp_path: Path, qapp: QApplication, qloop: Loop) -> Callable[..., None]:
    """Runs a story about a timeline; `edits` make the song that it begins with."""

    def run(story: Story, edits: tuple[Edit, ...] = (), song: Song | None = None) -> None:
        async def draft(studio: Studio) -> Workspace:
            return await studio.open(await studio.projects.draft("Story"))

        async def work() -> None:
            async with opened_in(tmp_path / "home", draft) as opened:
                if song is not None:
                    await opened.workspace.replace(song, "edit", "begin")
                if edits:
                    await opened.edit(edits, "begin")
                kit = Kit(qapp.findChild(Theme) or Theme(qapp, "dark"), Tasks(opened.troubles), opened.troubles)
                one = Told(opened, kit)
                try:
                    await asyncio.sleep(0.02)
                    # So that a story can count the versions that it makes.
                    await opened.versions.refresh()
                    await story(one)
                finally:
                    one.view.close_view()
                    one.view.close()
                    one.view.deleteLater()
                    await kit.tasks.close()
            await asyncio.sleep(0.01)

        qloop.run(work())

    return run
