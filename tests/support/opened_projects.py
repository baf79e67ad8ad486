"""An open project as a window has it, over a real studio and without a window."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from studios import paths_in

from app.bootstrap import open_studio
from app.services.playing import PlaybackEngine
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import ErrorReporter
from app.viewmodels.transport.playback import Playback

Story = Callable[[OpenProject], Awaitable[None]]


@asynccontextmanager
async def opened_in(home: Path, choose: Callable[[Studio], Awaitable[Workspace]]) -> AsyncIterator[OpenProject]:
    """What `choose` opens of the studio in this home, until the block ends."""
    studio = open_studio(paths_in(home))
    troubles = ErrorReporter(studio.paths)
    engine = PlaybackEngine(home / "cache", studio.palette, ahead=False)
    opened = OpenProject(studio, await choose(studio), Playback(engine, troubles), troubles)
    await opened.begin()
    try:
        yield opened
    finally:
        await opened.close()
        engine.close()
        await studio.close()


def started_for_each(home: Path, *stories: Story) -> None:
    """Open the same project anew for each story, as one start of the program after another."""

    async def once(story: Story) -> None:
        async with opened_in(home, _only) as opened:
            await story(opened)

    for story in stories:
        asyncio.run(once(story))


async def _only(studio: Studio) -> Workspace:
    known = await studio.projects.all()
    return await studio.open(known[0] if known else await studio.projects.create("One"))
