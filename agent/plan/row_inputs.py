"""The inputs of rows as their tools read them, each row's read once."""

from __future__ import annotations

from agent.plan.inputs import read_inputs
from agent.plan.plan import Json, Step
from agent.plan.tool import ToolSpec
from agent.plan.watch import UNWATCHED, Watch


class RowInputs:
    """A cache of the inputs of rows as they were read, as the check of a plan and its hash both need them."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[Step, ToolSpec, dict[str, Json]]] = {}

    def of(self, step: Step, tool: ToolSpec, watch: Watch = UNWATCHED) -> dict[str, Json]:
        """The inputs of a step in ticks, with defaults filled and references as they are; not to be changed. Raises as
        `read_inputs` does."""
        known = self._read.get(step.id)
        if known is not None and known[0] is step and known[1] is tool:
            return known[2]
        read = read_inputs(tool.inputs, step.inputs, open_references=True, watch=watch)
        self._read[step.id] = (step, tool, read)
        return read
