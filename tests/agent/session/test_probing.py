"""Calls of which nobody knows whether they had their effect: the world is asked, else a person."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from studio_parts import FastCancellation, Ran, Studio, a_plan, a_song, execute, run, step
from worlds import World, WorldService

from agent.plan.ledger import StepState
from agent.plan.plan import Step
from agent.services.service import Call, Outcome
from agent.session.cancellation import Cancellation
from agent.session.ports import RowReport


def left_running(name: str, tool: str, item: int = -1, **inputs: Any) -> RowReport:
    """What a crash left of a row between its intent and its end."""
    return RowReport(name, 0, tool, StepState.RUNNING, "k", item, inputs)


def resumed(world: World, tool: str, *, happened: bool, cancelled: bool = False, **inputs: Any) -> Ran:
    world.effects["a", -1] = int(happened)
    cancellation = FastCancellation()
    if cancelled:
        cancellation.cancel()
    rows = (step("a", tool, {"what": "new", **inputs}), step("b", "ask", {"x": "{{a.sent}}"}))
    past = [left_running("a", tool, what="old", **inputs)]
    return run(a_plan(*rows), WorldService(world), past=past, cancellation=cancellation)


@pytest.mark.semantics("6.6", "6.9")
def test_a_call_that_the_world_knows_of_is_done_and_not_made_again() -> None:
    world = World()
    ran = resumed(world, "post", happened=True)
    assert ran.states == ["done", "done"]
    assert (world.of("a"), world.tries["a", -1], world.asked["a", -1]) == (1, 0, 1)
    assert ran["b"].result == {"x": "old"}, "it is taken up with the inputs that it was begun with"
    assert ran.studio.kinds("a") == ["StepDone"]


@pytest.mark.semantics("6.6", "6.9")
def test_a_call_that_the_world_does_not_know_of_is_made() -> None:
    world = World()
    ran = resumed(world, "post", happened=False)
    assert ran.states == ["done", "done"]
    assert (world.of("a"), world.asked["a", -1]) == (1, 1)
    assert ran["a"].inputs == {"what": "old"}


@pytest.mark.semantics("6.6")
def test_a_world_that_does_not_answer_leaves_it_to_a_person() -> None:
    world = World()
    world.unreachable = True
    ran = resumed(world, "post", happened=True)
    assert ran.states == ["needs_review", "not_run"]
    assert "may or may not have happened" in ran["a"].reason
    assert "the world does not answer" in ran["a"].reason
    assert world.tries["a", -1] == 0


@pytest.mark.semantics("6.5")
@pytest.mark.parametrize(("tool", "state", "asked"), [("send", "needs_review", 0), ("put", "done", 0)])
def test_without_a_question_it_depends_on_whether_it_may_be_repeated(tool: str, state: str, asked: int) -> None:
    world = World()
    ran = resumed(world, tool, happened=True)
    assert (ran["a"].state, world.asked["a", -1], world.of("a")) == (state, asked, 1)


@pytest.mark.semantics("7.3")
@pytest.mark.parametrize(
    ("tool", "happened", "state"),
    [("post", True, "done"), ("post", False, "not_run"), ("send", True, "needs_review"), ("put", True, "not_run")],
)
def test_a_cancel_does_not_hide_what_has_happened(tool: str, happened: bool, state: str) -> None:
    world = World()
    ran = resumed(world, tool, happened=happened, cancelled=True)
    assert ran["a"].state == state
    assert world.tries["a", -1] == 0


@pytest.mark.semantics("6.6", "4.5")
def test_items_are_asked_about_one_by_one() -> None:
    world = World()
    world.effects["f", 1] = 1
    rows = (
        step("l", "ask", {"items": ["x", "y", "z"]}),
        step("f", "post", {"what": "{{item}}"}, for_each="{{l.items}}"),
    )
    past = [left_running("f", "post", 0, what="x"), left_running("f", "post", 1, what="y")]
    ran = run(a_plan(*rows), WorldService(world), past=past)
    assert ran["f"].result == {"items": [{"sent": "x"}, {"sent": "y"}, {"sent": "z"}]}
    assert dict(world.asked) == {("f", 0): 1, ("f", 1): 1}
    assert set(world.effects.values()) == {1}


@pytest.mark.semantics("6.7")
@pytest.mark.parametrize(
    ("tool", "mode", "state", "effects"),
    [
        ("post", "lost", "done", 1), ("send", "lost", "needs_review", 1), ("put", "lost", "failed", 1),
        ("post", "hang", "done", 1), ("send", "hang", "needs_review", 1), ("put", "hang", "failed", 1),
        ("post", "stuck", "failed", 0), ("send", "stuck", "needs_review", 0),
        ("post", "break", "done", 1), ("send", "break", "needs_review", 1), ("put", "break", "failed", 1),
        ("post", "garble", "done", 1), ("send", "garble", "needs_review", 1), ("put", "garble", "failed", 1),
        ("post", "fail", "failed", 0), ("send", "fail", "failed", 0),
    ],
)  # fmt: skip
def test_a_call_whose_end_is_not_known_is_asked_about_before_anyone_doubts(
    tool: str, mode: str, state: str, effects: int
) -> None:
    world = World()
    rows: tuple[Step, ...] = (step("a", tool, {"what": 1, "mode": mode}, timeout=0.05),)
    ran = run(a_plan(*rows), WorldService(world))
    assert (ran["a"].state, world.of("a")) == (state, effects)
    assert ran["a"].reason or state == "done"


@pytest.mark.semantics("6.7", "5.2")
def test_what_timed_out_without_effect_may_be_tried_again() -> None:
    class Slow(WorldService):
        async def call(self, call: Call) -> Outcome:
            if not self.world.asked["a", -1]:
                await asyncio.sleep(60)
            return await super().call(call)

    world = World()
    ran = run(a_plan(step("a", "post", {"what": 1}, timeout=0.05, retry=1)), Slow(world))
    assert (ran["a"].state, world.of("a"), world.asked["a", -1]) == ("done", 1, 1)


@pytest.mark.semantics("6.7", "7.1")
@pytest.mark.parametrize(
    ("tool", "mode", "state"),
    [
        ("post", "hang", "done"), ("post", "stuck", "not_run"),
        ("send", "hang", "needs_review"), ("put", "hang", "not_run"),
    ],
)
def test_a_cancelled_call_is_asked_about(tool: str, mode: str, state: str) -> None:
    async def soon(_studio: Studio, cancellation: Cancellation) -> None:
        await asyncio.sleep(0.05)
        cancellation.cancel()

    async def story() -> Ran:
        rows = (step("a", tool, {"what": 1, "mode": mode}),)
        return await execute(a_plan(*rows), WorldService(World()), cancellation=Cancellation(), meanwhile=soon)

    assert asyncio.run(story())["a"].state == state


@pytest.mark.semantics("6.6")
def test_a_service_that_breaks_when_it_is_asked_leaves_it_to_a_person() -> None:
    class Broken(WorldService):
        async def probe(self, call: Call) -> Outcome | None:
            raise KeyError("a bug")

    ran = run(a_plan(step("a", "post")), Broken(World()), past=[left_running("a", "post")])
    assert (ran["a"].state, "KeyError" in ran["a"].reason) == ("needs_review", True)


@pytest.mark.semantics("6.4")
def test_what_ended_before_is_neither_asked_about_nor_made() -> None:
    world = World()
    rows = (step("a", "post", {"what": 1}), step("b", "ask", {"x": "{{a.sent}}"}))
    first = run(a_plan(*rows), WorldService(world))
    again = run(
        a_plan(*rows), WorldService(world), past=[first["a"]], studio=Studio(a_song()),
    )
    assert again.states == ["done", "done"]
    assert (world.of("a"), world.asked["a", -1]) == (1, 0)
