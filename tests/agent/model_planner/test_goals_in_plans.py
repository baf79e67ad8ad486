"""A model may leave a row to a model: offered with its limits, read into a valid row, never accepted in advance."""

from __future__ import annotations

import json
from typing import Any

import pytest
from model_plans import Scripted, a_brief, in_process, pad_rows, row, written
from studio_parts import PAD, a_registry

from agent.model_planner.prompt.goal_offer import as_offered
from agent.model_planner.prompt.offered_schema import compact_tools, plan_schema
from agent.model_planner.reading.answer import read_answer
from agent.model_planner.reading.goal_mending import DEFAULT_EDITS
from agent.plan.plan import Step
from agent.providers.provider import Abilities
from agent.review.check import check
from agent.services.goal_service import WORK_ON

REGISTRY = a_registry()
TOOLS = tuple(REGISTRY.tools.values())
OFFERED = as_offered(TOOLS, small=False)
INPUTS = {"tools": ["update_track"], "tracks": [PAD]}
GOAL = "until the pad sits behind the piano"


def read(raw: dict[str, Any]) -> tuple[Step, str]:
    answer = read_answer(json.dumps({"steps": [raw]}), OFFERED)
    [step] = answer.draft.steps
    return step, "\n".join(answer.repairs)


def goal_row(**fields: Any) -> dict[str, Any]:
    return {"id": "s1", "tool": WORK_ON, "goal": GOAL, "max_edits": 3, "inputs": INPUTS, **fields}


def test_a_goal_as_the_schema_offers_it_is_a_row_that_can_be_approved() -> None:
    step, said = read(goal_row())
    assert step == Step("s1", WORK_ON, INPUTS, by="model", goal=GOAL, max_edits=3)
    assert said == ""
    assert check((step,), REGISTRY.tools) == ()


@pytest.mark.parametrize("fields", [{"max_edits": None}, {"max_edits": 0}, {"max_edits": 9_000}, {"max_edits": "many"}])
def test_a_goal_without_a_limit_that_fits_gets_the_usual_one(fields: dict[str, Any]) -> None:
    step, _ = read(goal_row(**fields))
    assert step.max_edits == DEFAULT_EDITS == 50
    assert check((step,), REGISTRY.tools) == ()


@pytest.mark.parametrize("accept", [True, "true", 1, "{{s1.items}}"])
@pytest.mark.parametrize("tools", [OFFERED, TOOLS])
def test_no_model_accepts_its_own_edits_in_advance(accept: Any, tools: Any) -> None:
    answer = read_answer(json.dumps({"steps": [goal_row(inputs={**INPUTS, "accept": accept})]}), tools)
    assert "accept" not in answer.draft.steps[0].inputs
    assert "accept was left out" in "\n".join(answer.repairs)


def test_an_ordinary_tool_by_model_becomes_a_goal_with_that_tool() -> None:
    step, said = read(goal_row(tool="create_midi_clip", by="model", inputs={"track_id": PAD}))
    assert (step.tool, step.by, step.inputs) == (WORK_ON, "model", {"tools": ["create_midi_clip"], "tracks": [PAD]})
    assert "was read as work_on" in said
    assert check((step,), REGISTRY.tools) == ()


def test_exact_inputs_stay_exact_whoever_is_said_to_do_them() -> None:
    step, said = read(goal_row(tool="set_tempo", by="model", inputs={"bpm": 90}))
    assert step == Step("s1", "set_tempo", {"bpm": 90})
    assert "by model was left out" in said
    assert "goal was left out" in said


def test_the_schemas_offer_goals_with_their_limits_and_only_where_the_tool_is() -> None:
    flat = plan_schema(OFFERED)["properties"]["steps"]["items"]["properties"]
    assert flat["max_edits"]["type"] == "integer"
    assert "goal" in flat
    rows = plan_schema(OFFERED, typed=True)["properties"]["steps"]["items"]["anyOf"]
    goals = [one for one in rows if "goal" in one["properties"]]
    assert [one["properties"]["tool"]["const"] for one in goals] == [WORK_ON]
    assert set(goals[0]["properties"]["inputs"]["properties"]) == {"tools", "tracks"}
    without = [tool for tool in OFFERED if tool.name != WORK_ON]
    assert "goal" not in plan_schema(without)["properties"]["steps"]["items"]["properties"]
    assert "accept" not in next(line for line in compact_tools(OFFERED).splitlines() if line.startswith(WORK_ON))


def planned(context: int | None) -> tuple[Scripted, tuple[Step, ...]]:
    goal = {**row("s3", WORK_ON, tools=["update_track"], tracks=["{{s1.track_id}}"], accept=True), "goal": GOAL}
    answer = written([*pad_rows(2), goal])
    provider = Scripted(lambda _: answer, Abilities(forms="strict", context=context))
    [result] = in_process(provider, a_brief("add a pad and then fit it in", tools=TOOLS), registry=REGISTRY)
    return provider, result.draft.steps


def test_a_large_model_may_leave_goals_and_a_small_one_is_not_even_told() -> None:
    large, steps = planned(None)
    assert "work_on(" in large.queries[0].system
    assert (steps[2].by, steps[2].goal, steps[2].max_edits) == ("model", GOAL, DEFAULT_EDITS)
    assert steps[2].inputs == {"tools": ["update_track"], "tracks": ["{{s1.track_id}}"]}
    small, _ = planned(8_192)
    assert WORK_ON not in small.queries[0].system
    assert small.queries[0].form is not None
    assert WORK_ON not in json.dumps(small.queries[0].form.schema)
