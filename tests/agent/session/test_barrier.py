"""Nothing leaves the program before all that led to it is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from studio_parts import Bench, FastCancellation, Studio, a_plan, a_registry, a_song, run, step
from worlds import World, WorldService

from agent.errors import BandleaderError
from agent.plan.plan import Step
from agent.services.service import Call, Outcome
from agent.session.cancellation import Cancellation
from agent.session.executor import Executor
from agent.session.ghost import GhostSong
from agent.session.ports import Report
from agent.session.spending import Spending
from agent.session.worker import Goal, Worked
from agent.song.edits import Edit


class Slow(Studio):
    """A store that comes back at once and stores later, in order, as long as it can."""

    def __init__(self, *, full_after: int = 10**6) -> None:
        super().__init__(a_song())
        self.noted = 0
        self.stored = 0
        self._full_after = full_after

    async def note(self, report: Report) -> None:
        self.noted += 1
        await super().note(report)

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        await super().commit(edits, report)

    async def settled(self) -> None:
        await asyncio.sleep(0)
        if self.noted > self._full_after:
            raise BandleaderError("the disk is full")
        self.stored = self.noted


class Watching(WorldService):
    """Sees what was stored when a call came."""

    def __init__(self, world: World, studio: Slow) -> None:
        super().__init__(world)
        self._studio = studio
        self.open: list[tuple[str, int]] = []
        self.seen: list[Outcome] = []

    async def call(self, call: Call) -> Outcome:
        self.open.append((call.tool, self._studio.noted - self._studio.stored))
        return await super().call(call)


ROWS: tuple[Step, ...] = (
    step("a", "set_tempo", {"bpm": 90}),
    step("b", "ask", {"x": 1}),
    step("c", "send", {"what": "{{b.x}}"}, after=["a"]),
    step("d", "set_tempo", {"bpm": 91}, after=["c"]),
)


def carried_out(studio: Slow, world: World, rows: Sequence[Step] = ROWS) -> Watching:
    service = Watching(world, studio)
    plan = a_plan(*rows)
    executor = Executor("r", plan, "h", a_registry(service), studio, studio, FastCancellation(), {})
    asyncio.run(executor.execute())
    return service


@pytest.mark.semantics("6.8")
def test_an_act_waits_for_the_store_and_a_read_does_not() -> None:
    studio, world = Slow(), World()
    service = carried_out(studio, world)
    assert dict(service.open)["send"] == 0
    assert world.of("c") == 1
    assert studio.stored == studio.noted, "the run's end waits for the store"


@pytest.mark.semantics("6.8", "6.10")
def test_what_cannot_be_stored_lets_nothing_leave() -> None:
    world = World()
    with pytest.raises(BandleaderError, match="disk is full"):
        carried_out(Slow(full_after=2), world)
    assert not world.effects


@pytest.mark.semantics("6.8")
def test_a_run_whose_last_rows_cannot_be_stored_has_not_ended() -> None:
    studio = Slow(full_after=1)
    with pytest.raises(BandleaderError, match="disk is full"):
        carried_out(studio, World(), (step("a", "set_tempo", {"bpm": 90}), step("b", "set_tempo", {"bpm": 91})))


@pytest.mark.semantics("6.8")
def test_every_attempt_waits_anew() -> None:
    studio, world = Slow(), World()
    service = carried_out(studio, world, (
        step("c", "send", {"mode": "busy"}, retry=1), *(step(f"e{n}", "set_tempo", {"bpm": 80 + n}) for n in range(5)),
    ))
    assert [count for tool, count in service.open if tool == "send"] == [0, 0]


class Looking:
    """Works on a goal, and sees what was stored when it was asked to."""

    name = "looking"

    def __init__(self, studio: Slow) -> None:
        self._studio = studio
        self.open: list[int] = []

    async def work(self, goal: Goal, ghost: GhostSong, cancellation: Cancellation, spending: Spending) -> Worked:
        self.open.append(self._studio.noted - self._studio.stored)
        return Worked("nothing to do")


@pytest.mark.semantics("6.8")
def test_no_model_is_told_of_what_is_not_stored() -> None:
    studio = Slow()
    worker = Looking(studio)
    goal = step("g", "work_on", {"tools": ["set_tempo"]}, by="model", goal="slower", max_edits=1)
    plan = a_plan(step("a", "set_tempo", {"bpm": 90}), goal)
    executor = Executor("r", plan, "h", a_registry(), studio, studio, FastCancellation(), {}, worker)
    asyncio.run(executor.execute())
    assert worker.open == [0]


@pytest.mark.semantics("2.5")
def test_a_later_row_reads_what_is_not_stored_yet() -> None:
    studio = Slow()
    ran = run(a_plan(step("a", "echo", {"x": 1}), step("b", "echo", {"y": "{{a.x}}"})), Bench(), studio=studio)
    assert ran["b"].result == {"y": 1}
