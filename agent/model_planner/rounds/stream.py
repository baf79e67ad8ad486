"""What the stages of planning give while they work."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TypeAlias

from agent.plan.planning import PlannerEvent

Stream: TypeAlias = AsyncGenerator[PlannerEvent, None]
"""A stream of planner events; close it when leaving it early."""
