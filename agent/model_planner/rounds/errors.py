"""A model that gave no plan."""

from __future__ import annotations

from agent.errors import Blame
from agent.plan.errors import PlanError


class NoPlan(PlanError):
    """Raised if the model was called and gave no plan; `why` may quote its words."""

    blame = Blame.PROVIDER
