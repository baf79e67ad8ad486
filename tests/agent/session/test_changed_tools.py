"""A run in a world that changed: tools that are gone, changed or dropped put their rows to a person and no others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace
from studio_parts import BASS, Bench, FastCancellation, Ran, Studio, a_plan, a_registry, a_song, step, the_palette
from worlds import World, WorldService

from agent.plan.document import Plan, read_plan, write_plan
from agent.plan.errors import PlanError
from agent.plan.ledger import StepState
from agent.plan.pins import pins_of, unpinned
from agent.plan.plan import Step
from agent.plan.plan_hash import approved_hash
from agent.services.registry import Registry
from agent.services.service import Call, Outcome, Service
from agent.session.executor import Executor
from agent.session.ports import RowReport
from agent.session.session import Ended, Session

ROWS: tuple[Step, ...] = (
    step("a", "set_tempo", {"bpm": 90}),
    step("b", "ask", {"x": 1}, after=["a"]),
    step("c", "echo", {"x": 2}, after=["a"]),
    step("d", "ask", {"x": "{{b.x}}"}),
)


def session(*services: Service) -> Session:
    return Session(None, a_registry(*services), the_palette())  # type: ignore[arg-type]


def approved(rows: tuple[Step, ...] = ROWS, *services: Service) -> Plan:
    judged = session(*(services or (Bench(), WorldService(World())))).judge(a_plan(*rows), a_song())
    assert not judged.errors
    return judged.plan


def taken_up(plan: Plan, past: tuple[RowReport, ...], *services: Service) -> Ended:
    studio = Studio(a_song())
    work = session(*services).run("r", plan, a_song(), studio, studio, FastCancellation(), past)
    return asyncio.run(work)


def states(ended: Ended) -> list[str]:
    return [report.state.value for report in ended.reports]


DONE = (RowReport("a", 0, "set_tempo", StepState.DONE, "k", result={}),)


@pytest.mark.semantics("1.4")
def test_a_tool_that_is_gone_puts_its_row_to_a_person_and_lets_others_run() -> None:
    ended = taken_up(approved(), DONE, Bench())
    assert states(ended) == ["done", "needs_review", "done", "not_run"]
    assert ended.reports[1].reason == "its tool ask is gone since the plan was approved"
    assert ended.ledger.balanced


@pytest.mark.semantics("1.4")
@pytest.mark.parametrize("change", ["version", "schema", "result", "effect"])
def test_a_tool_that_changed_is_not_called(change: str) -> None:
    class Other(WorldService):
        def __init__(self) -> None:
            super().__init__(World(), version="2" if change == "version" else "1")
            more: dict[str, Any] = {
                "version": {}, "schema": {"inputs": {"type": "object", "required": []}},
                "result": {"result": {"type": "array"}}, "effect": {"effect": "outside"},
            }[change]
            self.tools = tuple(replace(tool, **more) if tool.name == "ask" else tool for tool in self.tools)

        async def call(self, call: Call) -> Outcome:
            raise AssertionError("it is called")

    ended = taken_up(approved(), DONE, Bench(), Other())
    assert states(ended) == ["done", "needs_review", "done", "not_run"]
    assert ended.reports[1].reason == "its tool ask has changed since the plan was approved"


@pytest.mark.semantics("1.4")
def test_only_a_description_may_change() -> None:
    class Reworded(WorldService):
        def __init__(self) -> None:
            super().__init__(World())
            self.tools = tuple(replace(tool, about="in other words") for tool in self.tools)

    assert states(taken_up(approved(), DONE, Bench(), Reworded())) == ["done"] * 4


@pytest.mark.semantics("1.4")
def test_a_run_that_begins_late_is_held_to_its_pins_too() -> None:
    ended = taken_up(approved(), (), Bench(), WorldService(World(), version="2"))
    assert states(ended) == ["done", "needs_review", "done", "not_run"]


@pytest.mark.semantics("1.4")
def test_a_row_that_is_done_does_not_need_its_tool_any_more() -> None:
    first = taken_up(approved(), (), Bench(), WorldService(World()))
    again = taken_up(approved(), first.reports, Bench())
    assert again.reports == first.reports


@pytest.mark.semantics("1.4", "6.5")
def test_a_call_left_running_with_a_changed_tool_is_neither_asked_about_nor_repeated() -> None:
    world = World()
    plan = approved((step("p", "post", {"what": 1}),))
    past = (RowReport("p", 0, "post", StepState.RUNNING, "k", inputs={"what": 1}),)
    ended = taken_up(plan, past, Bench(), WorldService(world, version="2"))
    assert states(ended) == ["needs_review"]
    assert ended.reports[0].reason.startswith("it had begun when the program ended, and its tool post has changed")
    assert not world.asked
    assert not world.tries
    assert states(taken_up(plan, past, Bench())) == ["needs_review"]


@pytest.mark.semantics("9.6")
def test_amending_a_row_approves_it_with_the_tool_as_it_is_now() -> None:
    plan = approved()
    renewed = session(Bench(), WorldService(World(), version="2"))
    amended = renewed.amended(plan, "b", {"x": 5})
    studio = Studio(a_song())
    ended = asyncio.run(renewed.run("r", amended, a_song(), studio, studio, FastCancellation(), DONE))
    assert states(ended) == ["done", "done", "done", "needs_review"], "d was not approved anew"
    assert ended.reports[1].result == {"x": 5}


@pytest.mark.semantics("4.7", "9.6")
def test_a_row_that_came_to_more_items_is_approved_for_so_many_and_no_more() -> None:
    loop = step("u", "echo", {"x": "{{item}}"}, for_each="{{l.x}}", max_edits=2)
    both = (Bench(), WorldService(World()))
    plan = approved((step("l", "echo", {"x": [1, 2, 3]}), loop), *both)
    assert states(taken_up(plan, (), *both)) == ["done", "needs_review"]
    for most, state in ((2, "needs_review"), (3, "done")):
        amended = session(*both).amended(plan, "u", most=most)
        assert approved_hash(amended, a_registry(*both).tools) == plan.hash
        assert read_plan(write_plan(amended), "it") == amended
        past = (RowReport("l", 0, "echo", StepState.DONE, "k", result={"x": [1, 2, 3]}),)
        assert states(taken_up(amended, past, *both)) == ["done", state]
    for row, most in (("u", 0), ("u", 201), ("l", 3)):
        with pytest.raises(PlanError):
            session(*both).amended(plan, row, most=most)


@pytest.mark.semantics("1.3", "9.6")
def test_a_plan_that_is_not_the_approved_one_is_not_taken_up_amended_rows_aside() -> None:
    both = (Bench(), WorldService(World()))
    plan = approved()
    amended = session(*both).amended(session(*both).amended(plan, "b", {"x": 5}), "b", {"x": 6})
    tools = a_registry(*both).tools
    assert approved_hash(amended, tools) == plan.hash
    assert read_plan(write_plan(amended), "it") == amended
    assert states(taken_up(amended, DONE, *both)) == ["done"] * 4
    forged = replace(plan, steps=(*plan.steps[:2], step("c", "echo", {"x": 3}), *plan.steps[3:]))
    ended = taken_up(forged, DONE, *both)
    assert states(ended) == ["done", "needs_review", "needs_review", "not_run"]
    assert ended.reports[2].reason == "the plan is not the one that was approved"


def run_with(plan: Plan, registry: Registry) -> Ran:
    studio, cancellation = Studio(a_song()), FastCancellation()
    executor = Executor("r", plan, plan.hash, registry, studio, studio, cancellation, {})
    return Ran(asyncio.run(executor.execute()), studio, cancellation)


class Dropping(Bench):
    """Another service is dropped, or takes another's place, while a row of this one runs."""

    def __init__(self, instead: Service | None = None) -> None:
        super().__init__()
        self.registry: Registry | None = None
        self._instead = instead

    async def call(self, call: Call) -> Outcome:
        if self.registry is not None and call.origin.step == "drop":
            self.registry.drop("world")
            if self._instead is not None:
                self.registry.adopt(self._instead)
        return await super().call(call)


DROPPED: tuple[Step, ...] = (
    step("first", "put", {"what": 0}),
    step("drop", "echo", {"items": [1, 2]}, after=["first"]),
    step("x", "put", {"what": 1}, after=["drop"], on_error="continue"),
    step("loop", "put", {"what": "{{item}}"}, for_each="{{drop.items}}", on_error="continue"),
    step("y", "echo", {"z": 1}, after=["drop"]),
    step("e", "update_track", {"track_id": BASS, "pan": 0.5}, after=["drop"]),
)


def dropped(instead: Service | None = None) -> Ran:
    bench = Dropping(instead)
    registry = a_registry(bench, WorldService(World()))
    judged = Session(None, registry, the_palette()).judge(a_plan(*DROPPED), a_song())  # type: ignore[arg-type]
    bench.registry = registry
    return run_with(judged.plan, registry)


@pytest.mark.semantics("1.5")
def test_a_service_that_is_dropped_fails_its_rows_and_nothing_else() -> None:
    ran = dropped()
    assert ran.states == ["done", "done", "failed", "failed", "done", "done"]
    assert "the service world is not there any more" in ran["x"].reason
    assert ran.ledger.balanced


@pytest.mark.semantics("1.5")
def test_a_service_that_comes_back_the_same_goes_on() -> None:
    assert dropped(WorldService(World())).states == ["done"] * 6


@pytest.mark.semantics("1.4", "1.5")
def test_a_service_that_comes_back_with_other_tools_waits_for_a_person() -> None:
    ran = dropped(WorldService(World(), version="2"))
    assert ran.states == ["done", "done", "needs_review", "needs_review", "done", "done"]


@pytest.mark.semantics("1.4")
def test_the_tools_that_a_goal_may_use_are_pinned_with_it() -> None:
    row = step("g", "work_on", {"tools": ["set_tempo"]}, by="model", goal="slower", max_edits=1)
    tools = dict(a_registry().tools)
    pins = pins_of((row,), tools)
    assert unpinned((row,), pins, tools) == {}
    tools["set_tempo"] = replace(tools["set_tempo"], version="2")
    assert list(unpinned((row,), pins, tools)) == ["g"]
    assert unpinned((row,), {}, tools) == {}, "a plan without pins is only asked whether its tools are there"
