"""What a row needs, what it waits for, and which orders are refused."""

from __future__ import annotations

import pytest
from studio_parts import Bench, a_registry, step

from agent.plan.errors import PlanError
from agent.plan.order import dependencies
from agent.plan.plan import Step

TOOLS = a_registry(Bench()).tools


def rename(step_id: str, **fields: object) -> Step:
    return step(step_id, "rename_song", {"name": step_id}, **fields)


@pytest.mark.semantics("3.2")
def test_song_steps_run_in_plan_order_and_readers_stand_between() -> None:
    links = dependencies(
        (rename("a"), rename("b"), step("look", "get_song"), step("too", "find_tracks"), rename("c")), TOOLS
    )
    assert {name: set(waits) for name, waits in links.waits.items()} == {
        "a": set(),
        "b": {"a"},
        "look": {"b"},
        "too": {"b"},
        "c": {"b", "look", "too"},
    }
    assert all(not needs for needs in links.needs.values()), "order alone does not block a row when another fails"


def test_what_neither_reads_nor_changes_the_song_waits_for_nothing() -> None:
    links = dependencies((rename("a"), step("e", "echo"), step("i", "list_instruments")), TOOLS)
    assert links.waits["e"] == links.waits["i"] == frozenset()


@pytest.mark.semantics("3.1")
def test_needs_come_from_inputs_loops_conditions_and_after() -> None:
    links = dependencies(
        (
            step("a", "echo"),
            step("b", "list"),
            step("c", "echo"),
            step("d", "echo"),
            step(
                "e",
                "echo",
                {"x": "{{a.y}} {{item.z}}"},
                for_each="{{b.items}}",
                when={"left": "{{c.ok}}", "op": "eq"},
                after=["d"],
            ),
            step("f", "echo", {"x": "{{e.items}}"}),
        ),
        TOOLS,
    )
    assert links.needs["e"] == {"a", "b", "c", "d"}
    assert links.dependants("a") == {"e", "f"}


@pytest.mark.parametrize(
    ("rows", "row", "words"),
    [
        ((step("a", "echo", {"x": "{{b.y}}"}), step("b", "echo")), "a", "comes later"),
        ((step("a", "echo", {"x": "{{nope.y}}"}),), "a", "no such row"),
        ((step("a", "echo", {"x": "{{a.y}}"}),), "a", "comes later"),
        ((step("a", "echo"), step("b", "echo", after=["zz"])), "b", "no such row"),
        ((step("a", "echo", after=["a"]),), "a", "this row"),
        ((step("a", "echo"), step("b", "echo", {"x": "{{item.y}}"})), "b", "without a loop"),
        ((step("a", "echo"), step("b", "echo", for_each="{{item.y}}")), "b", "outside of its inputs"),
        (
            (step("a", "list"), step("b", "echo", for_each="{{a.items}}", when={"left": "{{item.y}}", "op": "exists"})),
            "b",
            "outside of its inputs",
        ),
        ((step("a", "echo", after=["b"]), step("b", "echo", after=["a"])), "b", "circle"),
        ((rename("a", after=["b"]), rename("b")), "a", "circle"),
    ],
)
@pytest.mark.semantics("3.1")
def test_an_impossible_order_names_its_row(rows: tuple[Step, ...], row: str, words: str) -> None:
    with pytest.raises(PlanError) as refusal:
        dependencies(rows, TOOLS)
    assert words in f"{refusal.value.what} {refusal.value.why}"
    assert f"({row})" in refusal.value.what or row in refusal.value.why
    assert getattr(refusal.value, "step", "") in ({"a", "b"} if words == "circle" else {row})
