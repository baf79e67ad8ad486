"""How rows that are left to a model while the plan runs are offered to a planner."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent.plan.plan import Json
from agent.plan.tool import ToolSpec
from agent.services.goal_service import WORK_ON

NOT_OFFERED = "accept"
"""The input that only a person may set: whether edits are accepted in advance."""
_ABOUT = (
    "Leaves a goal to a model that works while the plan runs. The row has `goal` in words and `max_edits` 1-200 beside "
    "its inputs: the tools that may be used, and the ids of the existing tracks that may change."
)


def as_offered(tools: Sequence[ToolSpec], *, small: bool) -> tuple[ToolSpec, ...]:
    """The tools as they are offered to a model for planning.

    The input that accepts a goal's edits in advance is left out, as a planner must not do that. A model with a `small`
    window gets no goal rows.
    """
    return tuple(_offered(tool) for tool in tools if not (small and tool.name == WORK_ON))


def offers_goals(tools: Sequence[ToolSpec]) -> bool:
    """Whether goal rows, which a model carries out while the plan runs, are among the tools."""
    return any(tool.name == WORK_ON for tool in tools)


def _offered(tool: ToolSpec) -> ToolSpec:
    if tool.name != WORK_ON:
        return tool
    properties: dict[str, Json] = tool.inputs["properties"]
    kept = {name: schema for name, schema in properties.items() if name != NOT_OFFERED}
    return replace(tool, about=_ABOUT, inputs={**tool.inputs, "properties": kept})
