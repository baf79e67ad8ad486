"""A model that gave no plan."""

from __future__ import annotations

from agent.errors import Blame
from agent.plan.errors import PlanError


class NoPlan(PlanError):
    """The model was asked and gave nothing that can be shown as a plan; `why` may hold its words, as data."""

    blame = Blame.PROVIDER
