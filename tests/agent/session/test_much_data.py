"""Results that multiply over rows and items end in one clear error, before the memory is full."""

from __future__ import annotations

import pytest
from studio_parts import Bench, Ran, a_plan, run, step

from agent.plan.plan import Step
from agent.services.binding import MAX_GIVEN, MAX_GIVEN_TO_ROW
from agent.services.service import Call, Outcome
from agent.session.row_context import MOST_HELD

MEGABYTE = 900_000


class Large(Bench):
    """Answers an `echo` with a number with most of a megabyte."""

    async def call(self, call: Call) -> Outcome:
        if call.tool != "echo" or "n" not in call.inputs:
            return await super().call(call)
        self.calls.append((call.tool, call.inputs))
        return Outcome({"text": "x" * MEGABYTE, "n": call.inputs["n"]})

    def foresee(self, call: Call) -> Outcome:
        items = {"items": list(call.inputs.get("items", ()))} if call.tool == "list" else {}
        return Outcome({"text": "x", **items})


def ran(*rows: Step) -> tuple[Ran, Large]:
    bench = Large()
    return run(a_plan(*rows), bench), bench


def each(name: str, items: int) -> tuple[Step, ...]:
    return (
        step(f"l{name}", "list", {"items": list(range(items))}),
        step(name, "echo", {"n": "{{item}}"}, for_each=f"{{{{l{name}.items}}}}", on_error="continue"),
    )


@pytest.mark.semantics("2.7")
def test_a_text_that_repeats_a_large_result_is_refused_before_it_is_put_together() -> None:
    made, bench = ran(step("a", "echo", {"n": 1}), step("b", "echo", {"x": "{{a.text}}" * 1000}))
    assert made.states == ["done", "failed"]
    assert f"{1000 * MEGABYTE:,} bytes of earlier results" in made["b"].reason
    assert f"at most {MAX_GIVEN:,} are allowed for one call" in made["b"].reason
    assert len(bench.calls) == 1


@pytest.mark.semantics("2.7")
def test_a_loop_that_hands_each_item_a_large_result_is_refused_before_any_begins() -> None:
    loop = step("b", "echo", {"x": "{{a.text}}", "y": "{{item}}"}, for_each="{{l.items}}")
    made, bench = ran(step("a", "echo", {"n": 1}), step("l", "list", {"items": list(range(200))}), loop)
    assert made.states == ["done", "done", "failed"]
    assert f"at most {MAX_GIVEN_TO_ROW:,} are allowed for all calls of a row" in made["b"].reason
    assert [tool for tool, _ in bench.calls] == ["echo", "list"]


@pytest.mark.semantics("2.7")
def test_a_run_whose_results_would_fill_the_memory_begins_no_further_call() -> None:
    made, bench = ran(*each("a", 200), step("z", "echo", {"x": 1}, after=["la"]))
    assert made.states[:2] == ["done", "partial"]
    assert f"the results of this run hold more than {MOST_HELD:,} bytes" in made["a"].reason
    kept = sum(tool == "echo" and "n" in inputs for tool, inputs in bench.calls)
    assert kept * MEGABYTE < MOST_HELD + 8 * MEGABYTE
    assert made.ledger.balanced


@pytest.mark.semantics("2.7")
def test_what_is_not_too_much_goes_through() -> None:
    rows = (
        step("l", "list", {"items": ["x" * 1000 for _ in range(200)]}),
        step("a", "echo", {"x": "{{item}}"}, for_each="{{l.items}}"),
        step("b", "echo", {"x": "{{a.items}}"}),
    )
    assert ran(*rows)[0].states == ["done"] * 3
