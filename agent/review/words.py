"""The words of a plan beside its rows, which must hold no secret: they are stored and shown with it."""

from __future__ import annotations

from collections.abc import Iterator

from agent.plan.document import Plan
from agent.plan.request import refuse_secret


def refuse_secret_words(plan: Plan) -> None:
    """Raise `PlanError` for a plan whose words hold a secret."""
    refuse_secret("\n".join(_words_of(plan)))


def _words_of(plan: Plan) -> Iterator[str]:
    yield from (plan.request, plan.analysis, plan.musical_reasoning, plan.provider, plan.planning)
    yield from (*plan.understood, *plan.ignored, *plan.normalised)
    for ask in plan.asks:
        yield from (ask.asked, ask.measure, str(ask.value))
