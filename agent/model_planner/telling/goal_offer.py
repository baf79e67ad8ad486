"""How rows that are left to a model while the plan runs are offered to a planner."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.plan.plan import Json
from agent.plan.tool import ToolSpec
from agent.services.goal_service import WORK_ON

NOT_OFFERED = "accept"
"""The input that a person alone may set: whether edits are accepted in advance."""
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


def _offered(tool: ToolSpec) -> ToolSpec:
    if tool.name != WORK_ON:
        return tool
    properties: dict[str, Json] = tool.inputs["properties"]
    kept = {name: schema for name, schema in properties.items() if name != NOT_OFFERED}
    return replace(tool, about=_ABOUT, inputs={**tool.inputs, "properties": kept})
