"""Conditions and needs over every end that a row can have."""

from __future__ import annotations

from typing import Any

import pytest
from studio_parts import Bench, a_plan, run, step
from worlds import World, WorldService

from agent.plan.plan import Step

ENDS: dict[str, tuple[Step, ...]] = {
    "done": (step("n", "echo", {"x": 5}),),
    "skipped": (
        step("m", "echo", {"y": 1}), step("n", "echo", {"x": 5}, when={"left": "{{m.y}}", "op": "eq", "right": 2}),
    ),
    "failed": (step("n", "crash", {"x": 5}, on_error="continue"),),
    "needs_review": (step("n", "send", {"x": 5, "mode": "lost"}, on_error="continue"),),
    "not_run": (step("m", "crash", on_error="continue"), step("n", "echo", {"x": 5}, after=["m"])),
    "partial": (
        step("m", "echo", {"items": ["ok", "fail"]}),
        step("n", "put", {"mode": "{{item}}"}, for_each="{{m.items}}", on_error="continue"),
    ),
}
OPERATORS: dict[str, Any] = {
    "eq": 5, "ne": 4, "lt": 6, "le": 5, "gt": 4, "ge": 5, "in": [5], "exists": None, "empty": None, "not_empty": None,
}


def ended(end: str, row: Step) -> tuple[str, str]:
    """The state of a row after one that has ended so, and its reason."""
    ran = run(a_plan(*ENDS[end], row), Bench(), WorldService(World()))
    assert ran["n"].state == end
    assert ran.ledger.balanced
    return ran[row.id].state.value, ran[row.id].reason


@pytest.mark.semantics("3.4", "3.5")
@pytest.mark.parametrize("op", OPERATORS)
def test_every_operator_over_a_row_that_is_done_and_one_that_is_skipped(op: str) -> None:
    row = step("z", "echo", {}, when={"left": "{{n.x}}", "op": op, "right": OPERATORS[op]})
    assert ended("done", row)[0] == ("skipped" if op == "empty" else "done")
    state, reason = ended("skipped", row)
    assert state == ("skipped" if op == "exists" else "not_run")
    assert "{{n.x}} exists" in reason or reason == "blocked by row n, which is skipped"


@pytest.mark.semantics("3.6", "3.7")
@pytest.mark.parametrize("accept", [False, True])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("how", ["after", "reads", "exists"])
def test_what_a_row_may_follow(how: str, end: str, accept: bool) -> None:
    fields: dict[str, Any] = {"accept_partial": accept}
    inputs: dict[str, Any] = {}
    field = "items" if end == "partial" else "x"
    if how == "after":
        fields["after"] = ["n"]
    elif how == "reads":
        inputs = {"x": "{{n." + field + "}}"}
    else:
        fields["when"] = {"left": "{{n." + field + "}}", "op": "exists"}
    state, reason = ended(end, step("z", "echo", inputs, **fields))
    runs = {"done": "done", "partial": "done" if accept else "not_run"}
    runs["skipped"] = {"after": "done", "reads": "not_run", "exists": "skipped"}[how]
    assert state == runs.get(end, "not_run")
    if state == "not_run":
        is_so = "needs review" if end == "needs_review" else f"is {end}"
        named = "m, which is failed" if end == "not_run" else f"n, which {is_so}"
        assert reason == f"blocked by row {named}"


@pytest.mark.semantics("3.7")
def test_who_accepts_what_is_partial_sees_only_what_succeeded() -> None:
    rows = (*ENDS["partial"], step("z", "echo", {"x": "{{n.items}}"}, accept_partial=True))
    assert run(a_plan(*rows), Bench(), WorldService(World()))["z"].result == {"x": [{"sent": None}]}


@pytest.mark.semantics("4.5", "5.2")
def test_only_items_that_failed_in_passing_are_tried_again() -> None:
    world = World()
    rows = (
        step("l", "ask", {"items": ["ok", "busy", "fail", "ok"]}),
        step("f", "put", {"mode": "{{item}}"}, for_each="{{l.items}}", retry=3, on_error="continue"),
    )
    ran = run(a_plan(*rows), WorldService(world))
    assert [world.tries["f", item] for item in range(4)] == [1, 2, 1, 1]
    assert [item.state.value for item in ran.items("f")] == ["done", "done", "failed", "done"]
    assert len({item.key for item in ran.items("f")} | {ran["f"].key}) == 5


@pytest.mark.semantics("4.9")
def test_a_doubt_of_one_item_outweighs_all_others() -> None:
    rows = (
        step("l", "ask", {"items": ["ok", "lost", "fail"]}),
        step("f", "send", {"mode": "{{item}}"}, for_each="{{l.items}}", on_error={"failures": 3}),
    )
    ran = run(a_plan(*rows), WorldService(World()))
    assert ran["f"].state == "needs_review"
    assert ran["f"].reason == "1 of 3 items are in doubt: the line broke"


@pytest.mark.semantics("3.3")
def test_services_do_not_wait_for_each_other() -> None:
    bench, world = Bench(limit=1), World()
    rows = [step(f"w{n}", "wait", {"seconds": 0.02}) for n in range(3)]
    rows += [step(f"p{n}", "put", {"what": n}) for n in range(3)]
    ran = run(a_plan(*rows), bench, WorldService(world, limit=1))
    assert ran.states == ["done"] * 6
    assert bench.most == 1
    ends = [event.step for event in ran.studio.events if type(event).__name__ == "StepDone"]
    assert ends.index("p0") < ends.index("w1"), "the second service did not wait for the first"
