"""A room of the window over a real studio."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from patience import PATIENCE
from PySide6.QtWidgets import QWidget
from studios import paths_in

from app.bootstrap import open_studio
from app.services.playing import PlaybackEngine
from app.storage.keyring import Keys
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.viewmodels.desktop import Desktop
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import ErrorReporter, Trouble
from app.viewmodels.transport.playback import Playback


class Room:
    """A desktop with its open project, what a view is handed, and what a person was told."""

    def __init__(self, desktop: Desktop, kit: Kit) -> None:
        self.desktop, self.kit = desktop, kit
        self.told: list[Trouble] = []
        self.views: list[QWidget] = []
        kit.troubles.told.listen(self.told.append)

    @property
    def opened(self) -> OpenProject:
        """The open project."""
        assert self.desktop.opened.value is not None
        return self.desktop.opened.value

    async def until(self, holds: Callable[[], object]) -> None:
        """Let everything go on until something holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.005)

    async def still(self) -> None:
        """Let what was begun come to its end, and views catch up."""
        await asyncio.sleep(0.08)
        await self.until(lambda: not self.kit.tasks.running)
        await asyncio.sleep(0.08)

    async def plan(self, request: str) -> None:
        """Plan a request as the chat does."""
        await self.opened.asking.ask(request)

    async def approve(self) -> None:
        """Approve what is under review, and let it run to its end."""
        proposal = self.opened.reviewing.proposal.value
        assert proposal is not None
        await self.opened.asking.approving.run(proposal.judged.plan.hash)


async def in_room(
    theme: Theme, home: Path, story: Callable[[Room], Awaitable[None]], keys: Keys | None = None
) -> None:
    """Run a story over a home of its own, with the system's keyring unless there are `keys`; its views are closed at
    the end."""
    studio = open_studio(paths_in(home), keys=keys)
    troubles = ErrorReporter(studio.paths)
    engine = PlaybackEngine(home / "cache", studio.palette, ahead=False)
    desktop = Desktop(studio, lambda: Playback(engine, troubles), troubles)
    await desktop.begin()
    room = Room(desktop, Kit(theme, Tasks(troubles), troubles))
    try:
        await story(room)
    finally:
        for view in room.views:
            view.close_view()  # type: ignore[attr-defined]
            view.close()
            view.deleteLater()
        await room.kit.tasks.close()
        await desktop.close()
        engine.close()
