"""Plans as plain text: `Step 3: add_effect - ...` with a line for each input."""

from __future__ import annotations

from collections.abc import Sequence

from agent.model_planner.answered import Answer
from agent.plan.tool import ToolSpec


def read_text_plan(text: str, tools: Sequence[ToolSpec]) -> Answer | None:
    """The plan in the text; None if it has none in this form."""
    return None
