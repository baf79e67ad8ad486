"""Laying out the desk for a brief: which tools, which texts, which form the answer is held to."""

from __future__ import annotations

from agent.model_planner.prompt.context import system_text
from agent.model_planner.prompt.offered_schema import plan_schema, tool_offers
from agent.model_planner.prompt.prompts import Prompts
from agent.model_planner.prompt.tool_selection import planning_tools, reading_tools
from agent.model_planner.rounds.account import Account, Price
from agent.model_planner.rounds.limits import PlanningLimits
from agent.model_planner.rounds.model_planning import ModelPlanning
from agent.model_planner.rounds.steering import Steering
from agent.plan.planning import Brief
from agent.providers.provider import OutputForm, Provider
from agent.services.registry import Registry


def desk_for(
    brief: Brief, provider: Provider, prompts: Prompts, registry: Registry, limits: PlanningLimits, price: Price
) -> ModelPlanning:
    """What all model calls of one planning share; `price` gives US dollars for a model's tokens. A model with a small
    window gets fewer tools, and none to read the song with."""
    abilities = provider.abilities
    small = limits.is_small(abilities.context)
    tools = planning_tools(brief.tools, brief.request, small=small)
    offers = tool_offers(reading_tools(brief.tools)) if abilities.tools and not small else ()
    form = OutputForm("plan", plan_schema(tools, asks=not small)) if abilities.forms != "none" else None
    system = system_text(brief, tools, prompts, small=small)
    return ModelPlanning(
        provider, prompts, registry, limits, brief, Account(provider.model, price), Steering(brief.steering),
        tools, offers, system, form, small,
    )
