"""Keeping the rows on show in step with those that count."""

from __future__ import annotations

from collections.abc import Sequence

from agent.plan.plan import Step
from agent.plan.planning import PlannerEvent, StepProposed, StepsWithdrawn


def reshown(shown: Sequence[Step], rows: Sequence[Step]) -> list[PlannerEvent]:
    """Events that turn the rows on display (`shown`) into `rows`: the missing ones if the others agree, otherwise all
    anew."""
    if list(shown) == list(rows[: len(shown)]):
        return [StepProposed(step) for step in rows[len(shown):]]
    return [StepsWithdrawn(), *(StepProposed(step) for step in rows)]
