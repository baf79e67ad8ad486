"""A plan panel over a real studio, on a qasync loop that lasts as long as the story."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from opened_projects import opened_in
from patience import PATIENCE
from PySide6.QtWidgets import QApplication
from qt_fixtures import Loop
from sample_plan import sample_steps
from studios import carried_out

from agent.plan.document import Plan
from agent.plan.plan import Step
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.ui.plan.panel import PlanPanel
from app.viewmodels.open_project import OpenProject
from app.viewmodels.plan.live_run import LiveRun
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.texts.troubles import Trouble


class Reviewed:
    """One open project with its plan panel."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        self.opened = opened
        self.kit = kit
        self.troubles: list[Trouble] = []
        kit.troubles.told.listen(self.troubles.append)
        self.panel = PlanPanel(opened, kit)
        self.panel.resize(1264, 503)
        self.panel.show()

    @property
    def proposal(self) -> Proposal:
        """The plan under review."""
        assert self.opened.reviewing.proposal.value is not None
        return self.opened.reviewing.proposal.value

    @property
    def live(self) -> LiveRun:
        """The run that is shown."""
        assert self.opened.running.live.value is not None
        return self.opened.running.live.value

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for something to become true."""
        async with asyncio.timeout(PATIENCE):
            while not done():
                await asyncio.sleep(0.01)

    async def settle(self) -> None:
        """Let what was begun come to its end, and be shown."""
        await self.until(lambda: not self.kit.tasks._tasks and not self.opened.reviewing.pending.value)
        self.panel.refresh()

    async def propose(self, steps: tuple[Step, ...]) -> None:
        """Put a plan of these rows up for review."""
        planning = self.opened.studio.planning
        stage = await planning.stage(self.opened.workspace.record)
        plan = planning.adopt(Plan(steps, request="more"), stage)
        await self.opened.reviewing.put_up(await planning.judge(plan, stage.song))
        await self.settle()

    async def run(self) -> None:
        """Approve what is shown and watch it to its end."""
        self.panel.plan_actions.do("run")
        await self.settle()

    def text(self, step: str) -> str:
        """What the state cell of a row says."""
        row = self.panel.model.row_at(self.panel.model.row_index(step))
        assert row is not None
        return row.standing.text


Story = Callable[[Reviewed], Awaitable[None]]


@pytest.fixture
def told(tmp_path: Path, qapp: QApplication, qloop: Loop) -> Callable[..., None]:
    """Runs a story about a panel; with `sample` the song is the sample song."""

    def run(story: Story, *, sample: bool = False) -> None:
        async def project(studio: Studio) -> Workspace:
            made = await studio.projects.create("Story")
            if sample:
                await carried_out(studio, made, tuple(msgspec.convert(row, Step) for row in sample_steps()))
            return await studio.open(await studio.projects.find(made.id))

        async def work() -> None:
            async with opened_in(tmp_path / "home", project) as opened:
                kit = Kit(qapp.findChild(Theme) or Theme(qapp, "dark"), Tasks(opened.troubles), opened.troubles)
                one = Reviewed(opened, kit)
                try:
                    await story(one)
                finally:
                    one.panel.close_view()
                    one.panel.close()
                    one.panel.deleteLater()
                    await kit.tasks.close()
            await asyncio.sleep(0.01)

        qloop.run(work())

    return run
