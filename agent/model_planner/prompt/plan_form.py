"""A plan as the model would write it itself, as short as can be: what it is reminded of and asked to mend."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agent.model_planner.prompt.budget import first_words
from agent.plan.plan import Draft, Step


def written(draft: Draft) -> str:
    """The draft as the JSON of an answer."""
    around = {"analysis": draft.analysis, "musical_reasoning": draft.musical_reasoning}
    return _json({**{name: text for name, text in around.items() if text}, "steps": draft.steps})


def written_rows(steps: Sequence[Step]) -> str:
    """The rows as JSON, one per line."""
    return "\n".join(_json(step) for step in steps)


def row_headings(steps: Sequence[Step], most: int = 120) -> str:
    """The rows by id, tool and title, one per line, at most `most`; "none yet" without rows."""
    lines = [f"{step.id}: {step.tool} {_titled(step)}" for step in steps]
    if len(lines) > most:
        lines = [*lines[:most], f"and {len(lines) - most} more"]
    return "\n".join(lines) or "none yet"


def _titled(step: Step) -> str:
    return first_words(step.title or str(step.inputs.get("name", "")), 60)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
