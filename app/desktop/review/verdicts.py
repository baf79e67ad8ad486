"""What a person decided on rows of a plan, as later plans of the project are told of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from agent.plan.planning import Verdict
from app.desktop.review.doubt import IN_DOUBT
from app.desktop.review.proposal import Proposal


def verdicts(proposal: Proposal) -> Iterator[Verdict]:
    """All decisions of a person on a plan."""
    plan = proposal.plan
    for step, gone in proposal.rejections.items():
        if gone.reason != IN_DOUBT:
            yield Verdict(plan.request, plan.step(step), "rejected", gone.reason)
    for step, change in proposal.changes.items():
        yield Verdict(plan.request, plan.step(step), "changed", change.reason, dict(change.inputs))


def asked_again(proposal: Proposal, steps: Collection[str], wish: str) -> Iterator[Verdict]:
    """What asking for rows again says of them: they were decided on, or were not what the person wished."""
    decided = [one for one in verdicts(proposal) if one.step.id in steps]
    for one in decided:
        yield replace(one, reason=one.reason or wish)
    told = {one.step.id for one in decided}
    for step in proposal.plan.steps:
        if wish and step.id in steps and step.id not in told:
            yield Verdict(proposal.plan.request, step, "rejected", wish)
