"""Rows that are left to a model while the plan runs: how they are offered to a planner, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from agent.plan.errors import PlanError
from agent.plan.inputs import read_inputs
from agent.plan.plan import Inputs, Json
from agent.plan.tool import ToolSpec
from agent.services.goal_service import WORK_ON

DEFAULT_EDITS = 50
"""Edits that a goal may take where its planner names no number."""
_ACCEPT = "accept"
_ABOUT = (
    "Leaves a goal to a model that works while the plan runs. The row has `goal` in words and `max_edits` 1-200 beside "
    "its inputs: the tools that may be used, and the ids of the existing tracks that may change."
)


def as_offered(tools: Sequence[ToolSpec], *, small: bool) -> tuple[ToolSpec, ...]:
    """The tools as a model may plan with them.

    A goal's edits cannot be accepted in advance by whoever proposes it, so that input is not offered. A model with a
    short memory writes exact rows only.
    """
    return tuple(_offered(tool) for tool in tools if not (small and tool.name == WORK_ON))


def offers_goals(tools: Sequence[ToolSpec]) -> bool:
    """Whether rows may be left to a model."""
    return any(tool.name == WORK_ON for tool in tools)


def mend_goal(made: dict[str, Any], tools: Mapping[str, ToolSpec], say: Callable[[str], None]) -> None:
    """Bring a row's fields into one of two forms: a goal with its limits, or exact inputs without either."""
    if made.get("by") == "model" and made["tool"] != WORK_ON:
        _choose(made, tools, say)
    if made["tool"] != WORK_ON:
        for name in ("goal", "max_edits"):
            if made.pop(name, None) is not None:
                say(f"{name} was left out: the row has exact inputs")
        return
    made["by"] = "model"
    made.setdefault("max_edits", DEFAULT_EDITS)
    if made["inputs"].pop(_ACCEPT, False):
        say(f"{_ACCEPT} was left out: only a person accepts a goal's edits in advance")


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


def _offered(tool: ToolSpec) -> ToolSpec:
    if tool.name != WORK_ON:
        return tool
    properties: dict[str, Json] = tool.inputs["properties"]
    kept = {name: schema for name, schema in properties.items() if name != _ACCEPT}
    return replace(tool, about=_ABOUT, inputs={**tool.inputs, "properties": kept})
