"""The events of runs as the window lists them: those of the run that is shown, live, or of an earlier one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine

from patience import PATIENCE
from studios import approved, carried_out, tracks

from agent.session.cancellation import Cancellation
from app.studio.studio import Studio
from app.viewmodels.events.event_log import EventLog
from app.viewmodels.plan.running import Running


class Listed:
    """A log over a stored project, and from where on it told of new lines."""

    def __init__(self, studio: Studio, running: Running) -> None:
        self.studio, self.running = studio, running
        self.tasks: set[asyncio.Task[None]] = set()
        self.log = EventLog(studio.runs, running, self._begin)
        self.told: list[int] = []
        self.log.grown.listen(self.told.append)

    def _begin(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self.tasks.add(asyncio.ensure_future(work()))

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.01)


def listed(studio: Studio, story: Callable[[Listed], Awaitable[None]]) -> None:
    async def work() -> None:
        workspace = await studio.open(await studio.projects.create("One"))
        running = Running(studio.runs, workspace)
        one = Listed(studio, running)
        await story(one)
        one.log.close()
        await asyncio.gather(*one.tasks)
        await running.close()

    asyncio.run(work())


def test_the_newest_run_is_listed_and_an_earlier_one_by_choice(studio: Studio) -> None:
    async def story(one: Listed) -> None:
        project = one.running.project
        first = await carried_out(studio, project, tracks(2))
        second = await carried_out(studio, project, tracks(1, "More"))
        one.log.look()
        await one.until(lambda: len(one.log.lines) == len(second.events))
        assert one.log.run.value == second.record.id
        assert [choice.run for choice in one.log.choices.value] == [second.record.id, first.record.id]
        one.log.choose(first.record.id)
        await one.until(lambda: len(one.log.lines) == len(first.events))
        assert [row.number for row in one.log.rows] == [1, 2]
        assert one.log.number_of("s1") == 2
        assert one.log.number_of("nobody") == 0

    listed(studio, story)


def test_events_are_added_as_they_are_stored_each_once_and_in_order(studio: Studio) -> None:
    async def story(one: Listed) -> None:
        run = await approved(studio, one.running.project, tracks(150))
        one.log.look()
        await one.until(lambda: bool(one.log.lines))
        view = await studio.runs.host.carry_out(run, Cancellation())
        await one.until(lambda: len(one.log.lines) == len(view.events))
        assert [line.number for line in one.log.lines] == [event.number for event in view.events]
        assert len(one.told) < len(view.events) / 5, "many events are told at once"

    listed(studio, story)
