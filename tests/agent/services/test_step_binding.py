"""Binding a step: conditions, loops, and the results they read."""

from __future__ import annotations

from typing import Any

import pytest
from studio_parts import Bench, a_registry, step

from agent.fixes import FixKind
from agent.plan.errors import PlanError
from agent.plan.plan import When
from agent.plan.references import Unresolved
from agent.services.binding import bind, gathered, holds
from agent.services.registry import Registry, unknown_tool

RESULTS: dict[str, Any] = {
    "a": {"n": 5, "text": "abc", "none": None, "empty": [], "items": [{"id": "x"}, {"id": "y"}], "yes": True},
}


@pytest.mark.parametrize(
    ("left", "op", "right", "expected"),
    [
        ("n", "eq", 5, True),
        ("n", "eq", 5.0, True),
        ("n", "eq", "5", False),
        ("n", "ne", 4, True),
        ("n", "lt", 6, True),
        ("n", "le", 5, True),
        ("n", "gt", 5, False),
        ("n", "ge", 5, True),
        ("text", "lt", "b", True),
        ("text", "lt", 5, False),
        ("none", "gt", 1, False),
        ("items", "gt", 1, False),
        ("n", "in", [1, 5], True),
        ("n", "in", "12345", False),
        ("n", "in", None, False),
        ("text", "in", "xabcx", True),
        ("items", "in", [[{"id": "x"}, {"id": "y"}]], True),
        ("n", "exists", None, True),
        ("none", "exists", None, True),
        ("nope", "exists", None, False),
        ("empty", "empty", None, True),
        ("items", "empty", None, False),
        ("empty", "not_empty", None, False),
        ("items", "not_empty", None, True),
        ("yes", "eq", True, True),
    ],
)
@pytest.mark.semantics("3.4")
def test_every_operator(left: str, op: Any, right: Any, expected: bool) -> None:
    assert holds(When("{{a." + left + "}}", op, right), RESULTS) is expected


def test_a_condition_on_what_is_missing_is_unresolved_unless_it_asks_just_that() -> None:
    with pytest.raises(Unresolved):
        holds(When("{{a.nope}}", "eq", 1), RESULTS)
    assert not holds(When("{{zz.nope}}", "exists"), RESULTS)


@pytest.mark.semantics("3.4")
def test_a_condition_that_does_not_hold_skips_the_row_with_its_reason() -> None:
    bound = bind(step("s", "echo", {"x": "{{a.nope}}"}, when={"left": "{{a.n}}", "op": "eq", "right": 4}), RESULTS)
    assert bound.calls == ()
    assert "{{a.n}} eq" in bound.skipped


@pytest.mark.semantics("4.1")
def test_a_loop_makes_a_call_for_each_item_in_order() -> None:
    bound = bind(step("s", "echo", {"id": "{{item.id}}", "n": "{{a.n}}"}, for_each="{{a.items}}"), RESULTS)
    assert bound.calls == ({"id": "x", "n": 5}, {"id": "y", "n": 5})
    assert gathered(bound, ["r1", "r2"]) == {"items": ["r1", "r2"]}


def test_a_loop_over_nothing_has_no_calls_and_an_empty_result() -> None:
    bound = bind(step("s", "echo", {"id": "{{item.id}}"}, for_each="{{a.empty}}"), RESULTS)
    assert (bound.calls, bound.fan_out, bound.skipped, gathered(bound, [])) == ((), True, "", {"items": []})


@pytest.mark.parametrize("field", ["n", "text", "none", "yes"])
@pytest.mark.semantics("4.3")
def test_a_loop_over_no_list_is_refused(field: str) -> None:
    with pytest.raises(PlanError, match="not a list"):
        bind(step("s", "echo", {}, for_each="{{a." + field + "}}"), RESULTS)


@pytest.mark.semantics("4.1")
def test_a_loop_has_at_most_200_items() -> None:
    row = step("s", "echo", {"x": "{{item}}"}, for_each="{{b.items}}")
    assert len(bind(row, {"b": {"items": list(range(200))}}).calls) == 200
    with pytest.raises(PlanError, match="201 items"):
        bind(row, {"b": {"items": list(range(201))}})


@pytest.mark.semantics("1.1")
def test_an_unknown_tool_offers_the_nearest_names_and_no_two_services_share_one() -> None:
    registry = a_registry(Bench())
    assert "create_track" in unknown_tool("creat_track", registry.tools).advice
    assert unknown_tool("zzzzzz", registry.tools).fix == FixKind.LIST_TOOLS()
    with pytest.raises(PlanError, match="'echo' is claimed twice"):
        Registry((Bench(), Bench()))
