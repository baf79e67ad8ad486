"""All that the calls of one planning share: the model, the brief, what it is told, and how far it may go."""

from __future__ import annotations

from dataclasses import dataclass

from agent.conversation.messages import Turn
from agent.model_planner.prompt.budget import fitted, tokens, tokens_of
from agent.model_planner.prompt.prompts import Prompts
from agent.model_planner.rounds.account import Account
from agent.model_planner.rounds.limits import PlanningLimits
from agent.model_planner.rounds.steering import Steering
from agent.plan.planning import Brief
from agent.plan.tool import ToolSpec
from agent.providers.provider import OutputForm, Provider, Query, ToolOffer
from agent.services.registry import Registry

_SMALLEST_ANSWER = 600


@dataclass(frozen=True)
class ModelPlanning:
    """What all model calls of one planning share. `tools` are those to plan with, `offers` those that the model may
    call to read the song, `form` the schema of its output (None: free), `small` the mode for models with a small
    window. `account` adds up what is used, `steering` gives what the person types meanwhile, `system` is the system
    prompt."""

    provider: Provider
    prompts: Prompts
    registry: Registry
    limits: PlanningLimits
    brief: Brief
    account: Account
    steering: Steering
    tools: tuple[ToolSpec, ...]
    offers: tuple[ToolOffer, ...]
    system: str
    form: OutputForm | None
    small: bool

    @property
    def window(self) -> int:
        """The model's context window in tokens."""
        return self.limits.window(self.provider.abilities.context)

    @property
    def fixed(self) -> int:
        """The estimated tokens of what is sent with every call."""
        offers = sum(tokens(offer.name + offer.about + str(offer.schema)) for offer in self.offers)
        return tokens(self.system) + offers + self.limits.spare

    def query(self, turns: tuple[Turn, ...], size: int, *, may_read: bool = True, formed: bool = True) -> Query:
        """A query that fits into the window, with room for an answer of `size` tokens or what is left.

        Without `may_read` the model must not call tools, without `formed` its output has no schema. Raises `PlanError`
        if even a short answer has no room.
        """
        least = min(size, max(_SMALLEST_ANSWER, self.window // 6))
        kept = fitted(turns, self.window - self.fixed - least)
        left = self.window - self.fixed - tokens_of(kept)
        return Query(
            self.system, kept, self.offers, "auto" if may_read else "none", self.form if formed else None,
            max_tokens=max(1, min(size, left)),
        )
