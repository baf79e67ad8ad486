"""What an open project has of asking, over a real studio, with any planner."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from patience import PATIENCE

from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.chat.asking import Asking
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import Entry, MessageEntry
from app.viewmodels.chat.wanted import RequestPlanner
from app.viewmodels.plan.draft_store import DraftStore
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running

E = TypeVar("E", bound=Entry)


class AskingRoom:
    """Its conversation, what is under review, and the run; planned by the studio unless there is another planner."""

    def __init__(self, studio: Studio, workspace: Workspace, planner: RequestPlanner | None = None) -> None:
        self.studio, self.workspace = studio, workspace
        self.conversation = Conversation(studio.store, workspace.project)
        self.reviewing = Reviewing(studio.session, studio.planning, workspace, studio.palette)
        self.running = Running(studio.runs, workspace)
        self.draft_store = DraftStore(studio.kept_plans, studio.planning, workspace, self.reviewing, lambda _: None)
        self.asking = Asking(
            planner or studio.planning, studio.projects, workspace, self.conversation, self.reviewing, self.running,
            self.draft_store, studio.palette if planner is None else None,
        )

    def all(self, kind: type[E]) -> list[E]:
        """The entries of a kind."""
        return [entry for entry in self.conversation.entries if isinstance(entry, kind)]

    def said(self, author: str = "bandleader") -> list[str]:
        """What somebody said."""
        return [words.text for words in self.all(MessageEntry) if words.author == author]

    async def approve(self) -> None:
        """Approve what is under review, and let it run to its end."""
        proposal = self.reviewing.proposal.value
        assert proposal is not None
        await self.asking.approving.run(proposal.judged.plan.hash)

    async def close(self) -> None:
        """End all of it."""
        self.asking.close()
        self.reviewing.close()
        await self.running.close()


R = TypeVar("R", bound=AskingRoom)


def asking_room(
    studio: Studio, story: Callable[[R], Awaitable[None]], make: Callable[[Studio, Workspace], R]
) -> None:
    """Run a story in the room of a new project; no task is left behind."""
    async def work() -> None:
        room = make(studio, await studio.open(await studio.projects.draft("Untitled")))
        try:
            await story(room)
        finally:
            await room.close()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(work())


async def until(holds: Callable[[], object]) -> None:
    """Let everything go on until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.005)
