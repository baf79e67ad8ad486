"""Mending a row that is left to a model while the plan runs: a goal with its limits, or exact inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agent.model_planner.prompt.goal_offer import NOT_OFFERED
from agent.plan.errors import PlanError
from agent.plan.inputs import read_inputs
from agent.plan.plan import Inputs
from agent.plan.tool import ToolSpec
from agent.services.goal_service import WORK_ON

DEFAULT_EDITS = 50
"""The edits allowed for a goal if its planner names no number."""


def mend_goal(made: dict[str, Any], tools: Mapping[str, ToolSpec], say: Callable[[str], None]) -> None:
    """Change the row's fields in place to one of two forms: a goal with its limits, or exact inputs without either;
    `say` takes sentences about what was changed."""
    if made.get("by") == "model" and made["tool"] != WORK_ON:
        _choose(made, tools, say)
    if made["tool"] != WORK_ON:
        for name in ("goal", "max_edits"):
            if made.pop(name, None) is not None:
                say(f"{name} was left out: the row has exact inputs")
        return
    made["by"] = "model"
    made.setdefault("max_edits", DEFAULT_EDITS)
    if made["inputs"].pop(NOT_OFFERED, False):
        say(f"{NOT_OFFERED} was left out: only a person accepts a goal's edits in advance")


def _choose(made: dict[str, Any], tools: Mapping[str, ToolSpec], say: Callable[[str], None]) -> None:
    """A row by model that names an ordinary tool: exact if its inputs are whole, else a goal with this tool."""
    tool: str = made["tool"]
    if WORK_ON not in tools or not made.get("goal") or _are_whole(tools.get(tool), made["inputs"]):
        del made["by"]
        say("by model was left out: the row has exact inputs")
        return
    track = made["inputs"].get("track_id")
    made.update(tool=WORK_ON, inputs={"tools": [tool], "tracks": [track] if isinstance(track, str) else []})
    say(f"{tool} by model was read as {WORK_ON} with this tool")


def _are_whole(tool: ToolSpec | None, inputs: Inputs) -> bool:
    if tool is None:
        return False
    try:
        read_inputs(tool.inputs, inputs, open_references=True)
    except PlanError:
        return False
    return True
